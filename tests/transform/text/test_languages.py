"""Languages of texts of a few sentences, written for this test."""

import pytest

from gossamer.transform.text.languages import language_of

TEXTS = {
    "en": "The ship left the harbour in the morning, and it was not seen again for many days.",
    "de": "Das Schiff verließ den Hafen am Morgen und ist seitdem nicht mehr zu sehen, auch wenn die Leute warten.",
    "fr": "Le bateau est parti du port dans la matinée, et les gens qui sont sur le quai ne le voient plus.",
    "es": "El barco salió del puerto por la mañana y no se ve más desde la costa, como dicen los que esperan.",
    "it": "La nave è partita dal porto di mattina e non si vede più, come dicono le persone che aspettano con una lampada.",
    "pt": "O navio saiu do porto pela manhã e não foi visto mais, como dizem os que esperam com uma lâmpada em casa.",
    "nl": "Het schip is in de ochtend uit de haven vertrokken en wordt niet meer gezien door de mensen die op een bank zitten.",
    "sv": "Skeppet lämnade hamnen på morgonen och det har inte synts från land sedan dess, men vi väntar på att det kommer.",
    "fi": "Laiva lähti satamasta aamulla ja se ei ole palannut, mutta ihmiset ovat rannalla niin kuin ennen tai myös.",
    "pl": "Statek wypłynął z portu rano i nie jest już widoczny, ale ludzie, którzy są na brzegu, czekają tak jak dawniej.",
    "cs": "Loď vyplula z přístavu ráno a není vidět, ale lidé, kteří jsou na břehu, čekají jako dřív, když se vrátí do města.",
    "hu": "A hajó reggel elhagyta a kikötőt, és nem látható már, de az emberek, mint mindig, várnak egy lámpával, ez az.",
    "ro": "Nava a plecat din port dimineața și nu este văzută de pe mal, ca în anii care au fost, mai ales cu o lampă.",
    "tr": "Gemi sabah limandan ayrıldı ve bir daha görülmedi, ama kıyıdaki insanlar çok sonra bile bu gemi için bekliyor.",
    "vi": "Con tàu rời cảng vào buổi sáng và không được nhìn thấy từ đó, những người ở bến vẫn chờ nó trong một thời gian.",
    "id": "Kapal itu meninggalkan pelabuhan pada pagi hari dan tidak terlihat lagi oleh orang yang ada di pantai dengan lampu.",
    "ru": "Корабль вышел из порта утром, и с тех пор его не видели, но люди на берегу всё так же ждут, как и он.",
    "uk": "Корабель вийшов з порту вранці, і відтоді його не бачили, але люди на березі так само чекають, як це було.",
    "bg": "Корабът излезе от пристанището сутринта и не се вижда от брега, но хората са там, за да го чакат, както беше.",
    "el": "Το πλοίο έφυγε από το λιμάνι το πρωί και δεν φάνηκε ξανά.",
    "he": "הספינה עזבה את הנמל בבוקר ולא נראתה שוב מן החוף.",
    "ar": "غادرت السفينة الميناء في الصباح و لم تظهر من على الشاطئ إلى هذا اليوم الذي كان بعد كل",
    "fa": "کشتی در صبح از بندر رفت و این را که دیگر دیده نشد مردم با یک چراغ در ساحل به یاد می آورند",
    "hi": "जहाज़ सुबह बंदरगाह से चला गया और फिर नहीं देखा गया, लोग तट पर है और इस के लिए भी",
    "ja": "船は朝に港を出て、それから二度と見られなかった。",
    "zh": "船在早晨离开港口，此后再也没有人看见它。",
    "ko": "배는 아침에 항구를 떠났고 다시는 보이지 않았다.",
    "th": "เรือออกจากท่าในตอนเช้าและไม่มีใครเห็นอีกเลย",
    "ka": "გემი დილით გავიდა ნავსადგურიდან და აღარ უნახავთ.",
}


@pytest.mark.parametrize("language", TEXTS)
def test_a_sentence_is_enough(language: str) -> None:
    assert language_of(TEXTS[language]) == language


@pytest.mark.parametrize(
    "text",
    ["", "4711", "Gossamer", "ABC 123 x-y-z", "Lorem ipsum dolor sit amet", "東京", "и и и", "да"],
)
def test_a_few_words_are_in_no_language(text: str) -> None:
    assert language_of(text) == ""


def test_a_text_of_two_languages_is_in_neither() -> None:
    english, german = "the of and to in is that it was", "der die das und ist nicht mit den von"
    assert language_of(f"{english} {german}") == ""
