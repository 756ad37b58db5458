"""The words that demo things are made of: names, places, sentences. Tables only.

Some letters are in ISO 8859-1 (é, ß), some only in Windows-1252 (œ, Š), some in neither
(Ł, 日), so that every character encoding meets both what it has and what it lacks.
"""

from collections.abc import Mapping
from typing import Final

FIRST_NAMES: Final = (
    *("Ada", "Zoë", "Jürgen", "Łucja", "Renée", "Søren", "Mateo", "Ingrid", "Noël", "Çağla"),
    *("Björn", "Amélie", "Štěpán", "Grace", "Håkon", "Inês", "Tomás", "Wanda", "Yuki", "Olga"),
    *("Émile", "Fatima", "Kofi", "Linnéa", "Pádraig", "Rosa", "Šárka", "Theo", "Uwe", "Vera"),
)
LAST_NAMES: Final = (
    *("Lovelace", "Weiß", "Łukasiewicz", "Dvořák", "Garçon", "Ångström", "Núñez", "Hopper"),
    *("Groß", "Tanaka", "O'Brien", "Müller", "Šimek", "Lefèvre", "Nowak", "Sørensen", "Adeyemi"),
    *("Brontë", "Castañeda", "Eriksson", "Fœrster", "Gödel", "Horváth", "Ivanova", "Jansen"),
    *("Kovačević", "Lindqvist", "Moreau", "Okafor", "Papadakis", "Quiñones", "Rossi"),
)
CITIES: Final = (  # name, country, postal code
    *(("Zürich", "CH", "8001"), ("Łódź", "PL", "90-001"), ("Málaga", "ES", "29001")),
    *(("Orléans", "FR", "45000"), ("Gießen", "DE", "35390"), ("Århus", "DK", "8000")),
    *(("Lisboa", "PT", "1100-148"), ("Plzeň", "CZ", "301 00"), ("Cork", "IE", "T12 W8KP")),
    *(("Göteborg", "SE", "411 03"), ("Trieste", "IT", "34121"), ("Győr", "HU", "9021")),
    *(("Nîmes", "FR", "30000"), ("Tromsø", "NO", "9008"), ("Maribor", "SI", "2000")),
    *(("Besançon", "FR", "25000"), ("Würzburg", "DE", "97070"), ("Sète", "FR", "34200")),
)
STREETS: Final = (
    *("Rue du Château", "Hauptstraße", "Harbour Lane", "Via dell'Orto", "Ulica Długa"),
    *("Calle del Olmo", "Mill Road", "Kirkegata", "Place de l'Étoile", "Lindenallee"),
)
JAPANESE: Final = (
    "日本の庭",
    "青い鳥",
    "北の町",
    "朝の市",
    "山の声",
    "図書館",
    "星の地図",
    "海と船",
)

# People who write on many sites: some are known by a name of theirs, some by their address.
WRITERS_BY_NAME: Final = (
    *("山田花子", "王美玲", "김하늘", "Наталья Орлова", "Αθηνά Καρρά", "سارا حداد", "Zoë Ångström"),
    *("Émile Garçon", "Štěpán Dvořák", "Inês Quiñones", "Kofi Adeyemi", "Linnéa Sørensen"),
)
WRITERS_BY_EMAIL: Final = (
    *("Wanda Nowak", "Theo Jansen", "Vera Ivanova", "Rosa Rossi", "Uwe Kranz", "Olga Papadakis"),
)
BOOKS: Final = (  # one for each topic
    *("The Ferryman's Almanac", "Glass and Silence", "The Four O'Clock Loaf", "A Drawer of Maps"),
    *("Le Douanier naïf", "Küstenbriefe", "Hours Without Hands", "The Bee Road"),
    *("River Ledger", "Knots for Beginners", "星の地図帳", "White Gold"),
)
JOBS: Final = (
    *("cartographer", "beekeeper", "violin maker", "typographer", "glaciologist", "baker"),
    *("translator", "bridge engineer", "archivist", "lighthouse keeper", "botanist"),
)
ORGANIZATIONS: Final = (
    *("Society", "Workshop", "Institute", "Library", "Cooperative", "Press", "Museum", "Guild"),
)
EVENTS: Final = (
    *("Night of Lanterns", "Chamber Concert", "Map Fair", "Cheese Market", "Fête du Café"),
    *("Winter Regatta", "Poetry Evening", "Seed Exchange", "Open Workshop", "Bücherflohmarkt"),
)
VENUES: Final = (
    *("Old Customs House", "Salle Pleyel", "Stadthalle", "Harbour Barn", "Town Theatre"),
)
ADJECTIVES: Final = (
    *("Quiet", "Copper", "Folding", "Northern", "Everyday", "Hand-made", "Blue", "Small"),
    *("Travelling", "Patient", "Bright", "Wooden"),
)
PRODUCTS: Final = (
    *("Lantern", "Teapot", "Field Notebook", "Compass", "Crêpe Pan", "Kite", "Rain Jacket"),
    *("Desk Clock", "Müsli Bowl", "Fountain Pen", "Bicycle Bell", "Music Box"),
)
BRANDS: Final = ("Wren & Sons", "Atelier Œuvre", "Nordlicht", "Łąka", "Fjell", "Casa Niña")
DISHES: Final = (
    *("Soup", "Soufflé", "Gratin", "Dumplings", "Pierogi", "Crème brûlée", "Stew", "Flatbread"),
    *("Käsespätzle", "Tart", "Salad", "Risotto"),
)
INGREDIENTS: Final = (
    *("200 g flour", "3 eggs", "1 tbsp crème fraîche", "2 shallots", "50 g Gruyère", "1 lemon"),
    *("a pinch of salt", "½ l milk", "4 potatoes", "2 jalapeños", "1 bunch of parsley"),
    *("100 g butter", "2 cloves of garlic", "1 tsp Piment d'Espelette"),
)
CUISINES: Final = ("French", "Polish", "Swabian", "Basque", "Danish", "Ligurian")
MEASURES: Final = (
    *("Rainfall", "Bird Counts", "Tram Arrivals", "Tide Levels", "Honey Yields", "Night Noise"),
    *("Tree Heights", "Book Loans", "Snow Depth", "Café Prices"),
)
TOPICS: Final = (
    *("the last ferry", "a library under glass", "bread at four in the morning", "old maps"),
    *("the naïve painter", "letters from the coast", "a clock without hands", "the bee road"),
    *("what the river keeps", "learning to splice", "the weather office", "salt"),
)
OPENINGS: Final = ("Notes on", "In praise of", "A year with", "The trouble with", "Looking for")
SECTIONS: Final = ("Culture", "Science", "Crafts", "Travel", "Cities")
LICENSES: Final = ("by", "by-sa", "by-nc")

# Each sentence may speak of {name}, {city} and {year}. The first ones make the description.
SENTENCES: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "en": {
        "person": (
            "{name} lives and works in {city}.",
            "Neighbours in {city} know {name} for keeping careful notes.",
            "Since {year} the workshop has been open to visitors on Saturdays.",
            "Asked for advice, {name} usually answers with a drawing.",
            "Most of the early work was lost in the flood of {year}; what is left is in {city}.",
        ),
        "event": (
            "{name} comes to {city} again this season.",
            "Everybody is welcome at {name}, with or without a ticket for the evening.",
            "The first edition in {year} filled two rooms; now it takes over half of {city}.",
            "Bring a warm coat: the second half is held outdoors.",
            "Those who help with the chairs are asked to come an hour early.",
        ),
        "product": (
            "The {name} is made in {city}, in small numbers.",
            "Every {name} is checked by hand before it leaves the house.",
            "The design has hardly changed since {year}.",
            "Spare parts are sold one by one, and old pieces are taken back for repair.",
            "It comes in a plain box without plastic.",
        ),
        "recipe": (
            "{name} as it is cooked in {city}.",
            "The recipe was first written down in {year}, on the back of a tram ticket.",
            "Take your time with the onions; nothing else here needs patience.",
            "It is better on the second day.",
            "Serve it with bread and whatever the market in {city} had left.",
        ),
        "dataset": (
            "{name}: daily figures measured in and around {city}.",
            "The series begins in {year} and has been kept without gaps.",
            "Readings were taken at noon by volunteers, then checked against a second instrument.",
            "Missing values are left empty; nothing has been estimated.",
            "Please tell the station in {city} what you use the figures for.",
        ),
        "article": (
            "{name}: a report from {city}.",
            "We went back to {city} to see what had become of the plans of {year}.",
            "Nobody we asked agreed on the date, but all remembered the light.",
            "The archive holds four boxes of letters, two of them unopened.",
            "What follows is put together from their accounts and from our own notes.",
        ),
    },
    "de": {
        "person": (
            "{name} lebt und arbeitet in {city}.",
            "In {city} kennt man {name} für sorgfältige Aufzeichnungen.",
            "Seit {year} ist die Werkstatt samstags für Gäste geöffnet.",
            "Größere Aufträge werden gemeinsam mit Freunden erledigt.",
        ),
        "event": (
            "{name} kommt wieder nach {city}.",
            "Alle sind willkommen, mit oder ohne Eintrittskarte.",
            "Beim ersten Mal, {year}, reichten zwei Räume; heute füllt es halb {city}.",
            "Die zweite Hälfte findet draußen statt: bitte warm anziehen.",
        ),
        "product": (
            "{name}: in kleiner Stückzahl in {city} gefertigt.",
            "Jedes Stück wird von Hand geprüft, bevor es das Haus verlässt.",
            "Der Entwurf ist seit {year} fast unverändert.",
            "Ersatzteile gibt es einzeln, Altes nehmen wir zur Reparatur zurück.",
        ),
        "recipe": (
            "{name}, wie man es in {city} kocht.",
            "Aufgeschrieben wurde das Rezept zuerst {year}, auf einer Fahrkarte.",
            "Für die Zwiebeln braucht es Geduld, sonst für nichts.",
            "Am zweiten Tag schmeckt es besser.",
        ),
        "dataset": (
            "{name}: tägliche Messwerte aus {city} und Umgebung.",
            "Die Reihe beginnt {year} und ist lückenlos.",
            "Abgelesen wurde mittags, geprüft mit einem zweiten Gerät.",
            "Fehlende Werte bleiben leer; nichts wurde geschätzt.",
        ),
        "article": (
            "{name}: ein Bericht aus {city}.",
            "Wir sind nach {city} gefahren, um zu sehen, was aus den Plänen von {year} wurde.",
            "Über das Datum war man sich uneinig, an das Licht erinnerten sich alle.",
            "Im Archiv liegen vier Schachteln mit Briefen, zwei davon ungeöffnet.",
        ),
    },
    "fr": {
        "person": (
            "{name} vit et travaille à {city}.",
            "À {city}, on connaît {name} pour ses carnets soignés.",
            "Depuis {year}, l'atelier est ouvert au public le samedi.",
            "Les grandes commandes se font entre amis, sans hâte.",
        ),
        "event": (
            "{name} revient à {city} cette saison.",
            "Tout le monde est bienvenu, avec ou sans billet.",
            "La première édition, en {year}, tenait dans deux pièces.",
            "La seconde partie a lieu dehors : prévoyez un manteau.",
        ),
        "product": (
            "{name} : fabriqué à {city}, en petit nombre.",
            "Chaque pièce est vérifiée à la main avant de quitter la maison.",
            "Le dessin n'a guère changé depuis {year}.",
            "Les pièces détachées se vendent à l'unité, et l'ancien est repris pour réparation.",
        ),
        "recipe": (
            "{name}, comme on le prépare à {city}.",
            "La recette fut notée pour la première fois en {year}, au dos d'un ticket de tram.",
            "Prenez votre temps avec les oignons ; le reste va vite.",
            "C'est meilleur le lendemain.",
        ),
        "dataset": (
            "{name} : relevés quotidiens à {city} et alentour.",
            "La série commence en {year} et n'a pas de lacune.",
            "Les mesures sont prises à midi, puis vérifiées avec un second appareil.",
            "Les valeurs manquantes restent vides ; rien n'a été estimé.",
        ),
        "article": (
            "{name} : un reportage à {city}.",
            "Nous sommes retournés à {city} voir ce qu'étaient devenus les projets de {year}.",
            "Personne n'était d'accord sur la date, mais tous se souvenaient de la lumière.",
            "Les archives gardent quatre boîtes de lettres, dont deux jamais ouvertes.",
        ),
    },
}

CLOSINGS: Final[Mapping[str, str]] = {
    "en": "This page is part of a small made-up web. Nobody on it exists, and every price is a guess.",
    "de": "Diese Seite gehört zu einem kleinen erfundenen Netz. Niemanden darin gibt es wirklich.",
    "fr": "Cette page fait partie d'un petit web inventé. Personne n'y existe pour de vrai.",
}
KIND_NAMES: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {kind: kind for kind in SENTENCES["en"]},
    "de": {
        "person": "Person",
        "event": "Veranstaltung",
        "product": "Ware",
        "recipe": "Rezept",
        "dataset": "Datensatz",
        "article": "Artikel",
    },
    "fr": {
        "person": "personne",
        "event": "événement",
        "product": "produit",
        "recipe": "recette",
        "dataset": "jeu de données",
        "article": "article",
    },
}
SEE_ALSO: Final[Mapping[str, str]] = {"en": "See also", "de": "Siehe auch", "fr": "Voir aussi"}
# What a page calls a property. English makes its own from the property's name.
LABELS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {"sameAs": "Known as", "offers": "Price", "knows": "Knows"},
    "de": {
        "sameAs": "Kennung",
        "alternateName": "Auch genannt",
        "jobTitle": "Beruf",
        "birthDate": "Geboren",
        "telephone": "Telefon",
        "address": "Anschrift",
        "worksFor": "Arbeitet für",
        "knows": "Kennt",
        "startDate": "Beginn",
        "endDate": "Ende",
        "location": "Ort",
        "organizer": "Veranstalter",
        "performer": "Es tritt auf",
        "maximumAttendeeCapacity": "Plätze",
        "offers": "Preis",
        "sku": "Artikelnummer",
        "gtin13": "EAN",
        "brand": "Marke",
        "aggregateRating": "Bewertung",
        "isRelatedTo": "Passt zu",
        "author": "Von",
        "datePublished": "Veröffentlicht",
        "totalTime": "Dauer",
        "recipeYield": "Ergibt",
        "recipeCuisine": "Küche",
        "recipeIngredient": "Zutat",
        "nutrition": "Nährwert",
        "creator": "Herausgeber",
        "license": "Lizenz",
        "variableMeasured": "Messgröße",
        "version": "Fassung",
        "distribution": "Datei",
        "headline": "Überschrift",
        "publisher": "Verlag",
        "dateModified": "Geändert",
        "articleSection": "Rubrik",
        "wordCount": "Wörter",
        "about": "Thema",
        "citation": "Siehe das Buch",
    },
    "fr": {
        "sameAs": "Identifiant",
        "alternateName": "Autre nom",
        "jobTitle": "Métier",
        "birthDate": "Naissance",
        "telephone": "Téléphone",
        "address": "Adresse",
        "worksFor": "Travaille pour",
        "knows": "Connaît",
        "startDate": "Début",
        "endDate": "Fin",
        "location": "Lieu",
        "organizer": "Organisé par",
        "performer": "Avec",
        "maximumAttendeeCapacity": "Places",
        "offers": "Prix",
        "sku": "Référence",
        "gtin13": "Code-barres",
        "brand": "Marque",
        "aggregateRating": "Avis",
        "isRelatedTo": "Va avec",
        "author": "Par",
        "datePublished": "Publié",
        "totalTime": "Durée",
        "recipeYield": "Pour",
        "recipeCuisine": "Cuisine",
        "recipeIngredient": "Ingrédient",
        "nutrition": "Valeur nutritive",
        "creator": "Créé par",
        "license": "Licence",
        "variableMeasured": "Mesure",
        "version": "Version",
        "distribution": "Fichier",
        "headline": "Titre",
        "publisher": "Éditeur",
        "dateModified": "Modifié",
        "articleSection": "Rubrique",
        "wordCount": "Mots",
        "about": "Sujet",
        "citation": "Voir le livre",
    },
}
