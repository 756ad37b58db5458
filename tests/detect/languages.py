"""Sentences in many languages, and pages made of them in the encodings of before UTF-8."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

LENGTHS: Final = (20, 60, 1000)  # characters of text: a title, a line, a paragraph


@dataclass(frozen=True, slots=True)
class Sample:
    """A page that does not say in which encoding it is."""

    language: str
    domain: str
    codec: str
    page: str

    @property
    def body(self) -> bytes:
        return self.page.encode(self.codec)


# Language, a domain where it is spoken, encodings by the names of Python, text.
TEXTS: Final = (
    (
        *("fr", "fr", "cp1252 iso8859-15"),
        "Le marché du village a lieu chaque samedi près de la rivière. On y trouve du fromage, des légumes et du pain. Les élèves de l'école préparent un spectacle pour la fête d'été.",
    ),
    (
        *("de", "de", "cp1252 iso8859-15"),
        "Die Straße führt über den Hügel zum alten Schloss. Im Frühling blühen dort Kirschbäume, und die Gäste können im Café gemütlich frühstücken.",
    ),
    (
        *("es", "es", "cp1252"),
        "El próximo año abriremos una pequeña librería en el centro de la ciudad. Habrá música, café y talleres para niños. ¿Quién quiere acompañarnos?",
    ),
    (
        *("pt", "pt", "cp1252"),
        "A estação de comboios fica a dez minutos a pé. Não há autocarro à noite, mas as informações estão disponíveis na receção.",
    ),
    (
        *("sv", "se", "cp1252"),
        "På sommaren åker vi ofta till skärgården för att bada och fiska. Höstens första frost kom tidigt, och sjön låg spegelblank.",
    ),
    (
        *("pl", "pl", "cp1250 iso8859-2"),
        "W sobotę pójdziemy na długi spacer po lesie, a później zjemy obiad u babci. Książki można wypożyczyć w bibliotece miejskiej, która jest otwarta także w święta.",
    ),
    (
        *("cs", "cz", "cp1250 iso8859-2"),
        "Město leží na řece a každý rok sem přijíždějí tisíce návštěvníků. Otevírací doba muzea se v zimě mění, proto se raději předem zeptejte.",
    ),
    (
        *("hu", "hu", "cp1250 iso8859-2"),
        "A könyvtár minden hétköznap nyolctól hatig tart nyitva. Az őszi hónapokban a belépő olcsóbb, és a gyerekeknek külön műsort készítünk.",
    ),
    (
        *("ro", "ro", "cp1250"),
        "În fiecare dimineaţă mergem la piaţă să cumpărăm fructe proaspete. Copiii învaţă la şcoala din sat, iar bunicii lucrează în grădină.",
    ),
    (
        *("ru", "ru", "cp1251 koi8-r iso8859-5 cp866"),
        "Каждое утро мы открываем окна и слушаем, как поют птицы. Город стоит на берегу большой реки, и летом сюда приезжает много гостей. Билеты можно купить в кассе музея.",
    ),
    (
        *("uk", "ua", "cp1251 koi8-u"),
        "Щороку восени ми збираємо яблука в старому садку. Місто розташоване на пагорбах, і його вулиці пам'ятають багато історій. Квитки можна придбати в касі.",
    ),
    (
        *("bg", "bg", "cp1251"),
        "Всяка сутрин отваряме прозорците и слушаме птиците. Градът е разположен край реката и през лятото идват много гости. Билети се продават на касата.",
    ),
    (
        *("el", "gr", "cp1253 iso8859-7"),
        "Κάθε πρωί ανοίγουμε τα παράθυρα και ακούμε τα πουλιά. Η πόλη βρίσκεται δίπλα στη θάλασσα και το καλοκαίρι έρχονται πολλοί επισκέπτες.",
    ),
    (
        *("tr", "tr", "cp1254"),
        "Her sabah pencereleri açıp kuşların sesini dinliyoruz. Şehir büyük bir nehrin kıyısındadır ve yazın buraya çok sayıda ziyaretçi gelir.",
    ),
    (
        *("he", "il", "cp1255"),
        "בכל בוקר אנחנו פותחים את החלונות ומקשיבים לציפורים. העיר שוכנת על שפת הים ובקיץ מגיעים אליה מבקרים רבים. אפשר לקנות כרטיסים בקופה.",
    ),
    (
        *("ar", "eg", "cp1256 iso8859-6"),
        "في كل صباح نفتح النوافذ ونستمع إلى الطيور. تقع المدينة على ضفة النهر ويأتي إليها في الصيف كثير من الزوار. يمكن شراء التذاكر من شباك المتحف.",
    ),
    (
        *("lt", "lt", "cp1257"),
        "Kiekvieną rytą atidarome langus ir klausomės paukščių. Miestas įsikūręs prie didelės upės, o vasarą čia atvyksta daug svečių.",
    ),
    (
        *("lv", "lv", "cp1257"),
        "Katru rītu mēs atveram logus un klausāmies putnu dziesmas. Pilsēta atrodas upes krastā, un vasarā šurp brauc daudz viesu.",
    ),
    (
        *("th", "th", "tis-620"),
        "ทุกเช้าเราเปิดหน้าต่างและฟังเสียงนก เมืองนี้ตั้งอยู่ริมแม่น้ำใหญ่ และในฤดูร้อนมีผู้มาเยือนจำนวนมาก สามารถซื้อบัตรได้ที่พิพิธภัณฑ์",
    ),
    (
        *("ja", "jp", "shift_jis euc_jp"),
        "毎朝、窓を開けて鳥の声を聞きます。町は大きな川のほとりにあり、夏にはたくさんの人が訪れます。入場券は博物館の窓口で買うことができます。",
    ),
    (
        *("zh", "cn", "gbk"),
        "每天早晨我们打开窗户，听鸟儿歌唱。这座城市位于一条大河的岸边，夏天有很多游客来这里。门票可以在博物馆的售票处购买。",
    ),
    (
        *("zh-tw", "tw", "big5"),
        "每天早晨我們打開窗戶，聽鳥兒歌唱。這座城市位於一條大河的岸邊，夏天有很多遊客來這裡。門票可以在博物館的售票處購買。",
    ),
    (
        *("ko", "kr", "euc_kr"),
        "매일 아침 우리는 창문을 열고 새소리를 듣습니다. 도시는 큰 강가에 자리 잡고 있으며 여름에는 많은 손님이 찾아옵니다. 입장권은 박물관에서 살 수 있습니다.",
    ),
)


def samples() -> Iterator[Sample]:
    """Each text in each of its encodings, cut to each length; no page is all ASCII."""
    for language, domain, codecs, text in TEXTS:
        for codec in codecs.split():
            for length in LENGTHS:
                page = page_of(text[:length])
                if not page.isascii():
                    yield Sample(language, domain, codec, page)


def page_of(text: str) -> str:
    """A page without a word about its encoding or language."""
    return (
        f'<html><head><title>{text[:30]}</title><link rel="stylesheet" href="/style.css"></head>'
        f'<body><div class="main"><h1>{text[:40]}</h1><p>{text}</p></div></body></html>'
    )
