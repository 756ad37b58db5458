"""Which language a text is in, for pages that do not say: by its script, and by its most common words. Pure.

Where a script is written in one language, its letters decide; for the others, a dozen or two of each language's
most common words are counted, and the language with clearly the most of them wins. A text of a few
words, or of two languages, is in none: a wrong answer would be worse.
"""

import re
from collections import Counter
from typing import Final

_SAMPLE: Final = 2_000  # characters …
_SCRIPT_SAMPLE: Final = 400  # … of which so many tell the script
_FEWEST_LETTERS: Final = 20  # of a script that decides by itself
_FEWEST_WORDS: Final = 4  # common ones
_LEAD: Final = 1.25  # times as many as the next language has

_WORD: Final = re.compile(r"[^\W\d_]+")
_KANA: Final = "\u3041-\u30ff"
_SCRIPTS: Final = (
    # In this sequence: Japanese has Han too, and Chinese has nothing else.
    ("ja", _KANA),
    ("ko", "\uac00-\ud7a3\u1100-\u11ff"),
    ("zh", "\u3400-\u9fff\U00020000-\U0003ffff"),
    ("th", "\u0e01-\u0e5b"),
    ("lo", "\u0e81-\u0edf"),
    ("km", "\u1780-\u17f9"),
    ("my", "\u1000-\u109f"),
    ("el", "\u0370-\u03ff\u1f00-\u1fff"),
    ("he", "\u0590-\u05ff"),
    ("arabic", "\u0600-\u06ff\u0750-\u077f"),
    ("cyrillic", "\u0400-\u052f"),
    ("devanagari", "\u0900-\u097f"),
    ("bn", "\u0980-\u09ff"),
    ("pa", "\u0a00-\u0a7f"),
    ("gu", "\u0a80-\u0aff"),
    ("ta", "\u0b80-\u0bff"),
    ("te", "\u0c00-\u0c7f"),
    ("kn", "\u0c80-\u0cff"),
    ("ml", "\u0d00-\u0d7f"),
    ("si", "\u0d80-\u0dff"),
    ("am", "\u1200-\u137f"),
    ("ka", "\u10a0-\u10ff"),
    ("hy", "\u0530-\u058f"),
    ("latin", "A-Za-z\u00c0-\u024f\u1e00-\u1eff"),
)
_OF_A_SCRIPT: Final = tuple((name, re.compile(f"[{ranges}]")) for name, ranges in _SCRIPTS)
_SHARED: Final = frozenset(("arabic", "cyrillic", "devanagari", "latin"))
_COMMON: Final = {
    "latin": {
        "en": "the of and to in is that for it with as was are this be on by at from have not you which or",
        "de": "der die das und ist nicht mit den von zu ein eine auf für im dem sich des auch es wird sind",
        "fr": "le la les des et est une dans pour que qui sur pas au du ce avec plus sont par ne aux cette",
        "es": "el la los las de que y en un una por con para es se del no al como más lo su está",
        "it": "il di che la e un una per non con del della sono è gli le si da nel anche come più alla",
        "pt": "o a os as de que e do da em um uma para com não por mais se na no dos como foi ao são",
        "nl": "de het een en van is niet dat op te zijn met voor die aan er ook als bij naar maar wordt",
        "sv": "och att det som en är på för av med den till inte om ett har från kan vi men så eller",
        "da": "og at det som en er på for af med den til ikke der et har fra kan vi men så eller blev",
        "no": "og å det som en er på for av med den til ikke om et har fra kan vi men så eller ble",
        "fi": "ja on ei että se hän oli mutta kun myös ovat joka tai sekä niin kuin mitä ole olla hänen",
        "is": "og að er í á sem það ekki við um til með hann var en af fyrir þetta eru hún",
        "pl": "i w nie na się że do jest to z jak po od dla za przez oraz był tak są które ale czy",
        "cs": "a je se na v že to s z do o i ve jako by pro není jsou které ale byl jsem podle při",
        "sk": "a je sa na v že to s z do o i vo ako by pre nie sú ktoré ale bol podľa pri alebo",
        "sl": "in je se na v da so za z ne pa ki s bi tudi po od kot ali bil lahko pri ter",
        "hr": "i je se na u da su za s ne a što od o kao bi koji ili nije iz koja te bio",
        "hu": "a az és hogy nem is van egy ez meg de ha csak volt mint vagy még már el azt lehet",
        "ro": "și de la în a nu este cu pe că o un din mai pentru să sunt care ce au fost se lui",
        "tr": "ve bir bu da de için ile olarak çok daha olan ne gibi var sonra kadar değil ama en ben",
        "vi": "và của là có trong được cho không các một người những với này đã để khi tôi từ đến",
        "id": "yang dan di dari untuk dengan ini itu pada tidak dalam adalah ke akan oleh juga ada sebagai",
        "et": "ja on ei et see oli kui ka ta aga mis või oma nii siis kes ning seda mida ole välja",
        "lv": "un ir ka no ar par tas uz kas nav bet kā tika vai arī pie viņš lai gan šis pēc",
        "lt": "ir yra kad į su tai iš o bet kaip ne buvo jis nuo arba apie po tik jo dėl ar",
        "ca": "el la els les de que i en un una per amb no del és al com més va són dels aquest",
        "ga": "agus an na ar is i bhí sé go le do ag ní ó tá gur leis seo mar ina nó",
        "sw": "na ya wa kwa ni katika za la kuwa hii cha yake kama hiyo pia watu lakini mwaka huo",
    },
    "cyrillic": {
        "ru": "и в не на что с по как это из но для он от его к у или был все так быть они при",
        "uk": "і в не на що з та як це до але для він від його й у або був є всі так бути вони при",
        "bg": "и в не на че с по как това от но за той или са е да се ще при който беше като",
        "sr": "и у не на да је се са за од као што су али или који то био из та би ће",
        "be": "і ў не на што з па як гэта але для ён ад яго да або быў усе так быць яны пры",
        "mk": "и во не на дека со по како ова од но за тој или се е да ќе при кој беше како",
    },
    "arabic": {
        "ar": "في من على أن إلى التي هذا الذي عن مع كان هذه أو ما لا كما بعد هو قد كل",
        "fa": "در به از که این است را با برای آن یک خود بود شد می های تا بر نیز هم",
        "ur": "کے کی میں ہے اور سے کا کو اس پر نے ہیں یہ کہ تھا ایک بھی جو نہیں تو",
    },
    "devanagari": {
        "hi": "के में है की और से का को यह पर ने हैं कि था एक भी जो नहीं तो इस",
        "mr": "आहे आणि या च्या तो ते ही मध्ये होते म्हणून पण एक केले व हे असे",
        "ne": "छ र को मा लाई छन् यो पनि हो गरेको तथा भएको एक थियो गर्न",
    },
}


def _by_word(words_of: dict[str, str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for language, words in words_of.items():
        for word in words.split():
            found.setdefault(word, []).append(language)
    return {word: tuple(languages) for word, languages in found.items()}


_LANGUAGES_OF: Final = {script: _by_word(words) for script, words in _COMMON.items()}


def language_of(text: str) -> str:
    """The language of a text, as a tag; empty where that is in doubt."""
    sample = text[:_SAMPLE]
    script = "latin" if sample.isascii() else _script(sample[:_SCRIPT_SAMPLE])
    if script not in _SHARED:
        return script
    found: Counter[str] = Counter()
    of = _LANGUAGES_OF[script]
    for word in _WORD.findall(sample.lower()):
        found.update(of.get(word, ()))
    (best, most), (_, next_most) = (*found.most_common(2), ("", 0), ("", 0))[:2]
    return best if most >= _FEWEST_WORDS and most >= _LEAD * next_most else ""


def _script(sample: str) -> str:
    """The script of a text, or its language where that is the same; empty where it has too few letters."""
    counts = {name: len(letters.findall(sample)) for name, letters in _OF_A_SCRIPT}
    if counts["ja"] >= _FEWEST_LETTERS / 4:  # kana between Han
        counts["ja"] += counts["zh"]
    best = max(counts, key=counts.__getitem__)
    # A Chinese text has a third of the letters of an English one that says the same.
    enough = _FEWEST_LETTERS / 2 if best in ("zh", "ja", "ko") else _FEWEST_LETTERS
    return best if counts[best] >= enough else ""
