"""Forms of choices: which are filled, how, and which are left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.extract.form_links import MOST, form_links
from gossamer.transform.document import Document

PAGE = "http://a.test/shop/?page=2"
KIND = "<select name=kind><option value=1>One<option value=2 selected>Two<option value=3>Three</select>"


def found(markup: str, most: int = 10) -> list[str]:
    links = form_links(Document(PAGE, markup.encode()), most)
    return [url.removeprefix("http://a.test") for url in links]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (KIND, ["?kind=2", "?kind=1", "?kind=3"]),
        ("<input type=checkbox name=a><input type=checkbox name=b value=x checked>",
         ["?b=x", "?a=on&b=x", "", "?a=on"]),
        ("<input type=radio name=r value=1><input type=radio name=r value=2 checked>",
         ["?r=2", "?r=1"]),
        ("<select name=s><option>a b<option>ü</select>", ["?s=a+b", "?s=%C3%BC"]),
        (f"{KIND}<input type=hidden name=lang value=en>",
         ["?kind=2&lang=en", "?kind=1&lang=en", "?kind=3&lang=en"]),
        (f"{KIND}<button>Show</button><input type=submit value=Filter>",
         ["?kind=2", "?kind=1", "?kind=3"]),
        (f"{KIND}<select name=author><option>Ada</select>",
         ["?kind=2&author=Ada", "?kind=1&author=Ada", "?kind=3&author=Ada"]),
        ("<select name=one><option>only</select>", []),
        ("<select><option>a<option>b</select>", []),
        ("<select name=s disabled><option>a<option>b</select>", []),
    ],
)  # fmt: skip
def test_choices_are_made_one_after_the_other(fields: str, expected: list[str]) -> None:
    assert found(f"<form action=/find>{fields}</form>") == [
        f"/find{query}" if query else "/find?" for query in expected
    ]


@pytest.mark.parametrize(
    "form",
    [
        f"<form method=post>{KIND}</form>",
        f"<form method=dialog>{KIND}</form>",
        f"<form>{KIND}<input name=q></form>",
        f"<form>{KIND}<input type=search name=q></form>",
        f"<form>{KIND}<input type=password name=p></form>",
        f"<form>{KIND}<input type=file name=f></form>",
        f"<form>{KIND}<input type=number name=n></form>",
        f"<form>{KIND}<textarea name=t></textarea></form>",
        f"<form>{KIND}<input type=hidden name=csrf_token value=1></form>",
        f"<form>{KIND}<input type=hidden name=x value=a81bc81bdead4e5dabff></form>",
        f"<form>{KIND}<select name=session><option>1</select></form>",
        f"<form>{KIND}<button formmethod=post>Go</button></form>",
        f"<form action=http://b.test/>{KIND}</form>",
        f"<form action=mailto:a@b.test>{KIND}</form>",
        f"<form id=f>{KIND}</form><input form=f name=q>",
    ],
)
def test_forms_that_want_more_than_choices_are_left_alone(form: str) -> None:
    assert found(form) == []


@pytest.mark.parametrize(
    "words",
    [
        *(
            "Delete",
            "Log out",
            "Sign out",
            "Unsubscribe",
            "Add to cart",
            "Place order",
            "Buy now",
            "Pay",
        ),
        *(
            "Löschen",
            "Abmelden",
            "In den Warenkorb",
            "Jetzt bestellen",
            "Supprimer",
            "Se déconnecter",
        ),
        *(
            "Ajouter au panier",
            "Commander",
            "Eliminar",
            "Cerrar sesión",
            "Al carrito",
            "Hacer pedido",
        ),
        *(
            "Cancella",
            "Aggiungi al carrello",
            "Sair",
            "Excluir",
            "Verwijderen",
            "Uitloggen",
            "Usuń",
        ),
        *(
            "Wyloguj",
            "Do koszyka",
            "Logga ut",
            "Удалить",
            "Выйти",
            "Отписаться",
            "В корзину",
            "Çıkış",
        ),
        *(
            "削除",
            "ログアウト",
            "カートに入れる",
            "注文する",
            "退出",
            "加入购物车",
            "삭제",
            "장바구니",
            "خروج",
        ),
    ],
)
def test_forms_that_speak_of_doing_something_are_left_alone(words: str) -> None:
    assert found(f"<form>{KIND}<button>{words}</button></form>") == []
    assert found(f"<form>{KIND}<input type=submit value='{words}'></form>") == []
    assert found(f"<form aria-label='{words}'>{KIND}</form>") == []


@pytest.mark.parametrize(
    "action", ["/cart", "/logout?x=1", "/user/delete", "/order", "/unsubscribe"]
)
def test_forms_that_lead_to_something_done_are_left_alone(action: str) -> None:
    assert found(f"<form action={action}>{KIND}</form>") == []


@pytest.mark.parametrize(
    "words", ["Order by", "Sort order:", "Show basil", "Design", "Signs", "Apply"]
)
def test_harmless_words_are_no_reason(words: str) -> None:
    harmless = "<select name=design><option>a</select>"
    markup = (
        f"<form action=/find><label>{words}</label>{KIND}{harmless}<button>Show</button></form>"
    )
    assert len(found(markup)) == (0 if words == "Sort order:" else 3)


def test_a_form_has_so_many_and_a_page_so_many_altogether() -> None:
    wide = "".join(
        f"<select name=s{each}>{''.join(f'<option>{n}' for n in range(9))}</select>"
        for each in range(9)
    )
    assert len(found(f"<form action=/find>{wide}</form>", 7)) == 7
    assert len(found(f"<form action=/find>{wide}</form>" * 3, 10_000)) == MOST


@given(st.text(alphabet="<>=\"'/ formselectoptinpuame-x", max_size=200))
def test_no_form_is_beyond_reading(markup: str) -> None:
    found(f"<form><select name=a><option>1{markup}</form>")
