import pytest

from gossamer.sparql.shape import columns, declared, names_graphs, too_deep


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM <http://a.test/> { ?s ?p ?o }",
        "select *from<http://a.test/>{?s ?p ?o}",
        "ASK FROM NAMED <http://a.test/> { GRAPH ?g { ?s ?p ?o } }",
        "ASKFROMNAMED<http://a.test/>{}",
        "PREFIX : <http://a.test/> ASK FROM :page {}",
        "PREFIX : <http://a.test/> ASK FROM:page {}",
        "CONSTRUCT { ?s ?p '}' } FROM <http://a.test/> WHERE { ?s ?p ?o }",
        "SELECT((1<2)AS?x)(3>2AS?y)FROM<http://a.test/>{}",
    ],
)
def test_a_query_that_names_its_graphs_is_known_however_it_is_written(query: str) -> None:
    assert names_graphs(query)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { ?s ?p 'SELECT * FROM <http://a.test/>' }",
        "SELECT ?from { ?from <http://a.test/FROM> ?o } # FROM <http://a.test/>",
        "PREFIX from: <http://a.test/> DESCRIBE from:x",
        "ASK { ?s ?p 'a'@from }",
        "ASK { _:from ?p ?o }",
    ],
)
def test_the_letters_alone_name_no_graph(query: str) -> None:
    assert not names_graphs(query)


def test_declared_prefixes_are_found_and_others_are_not() -> None:
    query = "PREFIX a: <urn:a:> prefix : <urn:b:> ASK { ?x a:b 'PREFIX c: <urn:c:>' }"
    assert declared(query) == {"a": "urn:a:", "": "urn:b:"}


def test_a_star_has_its_columns_in_the_order_of_the_query() -> None:
    assert columns("SELECT * { ?s ?p ?o }", ["o", "p", "s"]) == ["s", "p", "o"]
    assert columns("SELECT DISTINCT * { $z a ?a }", ["a", "z"]) == ["z", "a"]
    assert columns("SELECT*{?b ?a 1}", ["a", "b"]) == ["b", "a"]


def test_named_columns_stay_as_they_are() -> None:
    assert columns("SELECT ?o ?s { ?s ?p ?o }", ["o", "s"]) == ["o", "s"]
    assert columns("SELECT (COUNT(*) AS ?n) ?a { { SELECT * {} } }", ["n", "a"]) == ["n", "a"]


@pytest.mark.parametrize(
    "query",
    [
        f"ASK {{ FILTER({'(' * 300}1{')' * 300}) }}",
        f"ASK {{ {'OPTIONAL { ' * 300}{'}' * 300} }}",
        f"ASK {{ {'OPTIONAL { ?s ?p ?o } ' * 3000} }}",
        f"ASK {{ FILTER({'!' * 3000}true) }}",
        f"ASK {{ FILTER(1{'+1' * 3000}) }}",
        f"ASK {{ FILTER(1<{'(' * 300}1{')' * 300}>2) }}",
    ],
)
def test_what_would_use_up_the_engines_stack_is_too_deep(query: str) -> None:
    assert too_deep(query)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { ?s ?p ?o }",
        f"ASK {{ VALUES ?x {{ {'-1 ' * 5000} }} }}",
        f"ASK {{ FILTER(?x IN ({'-1, ' * 5000} 2)) }}",
        f"ASK {{ {'?s ?p ( 1 2 ) . ' * 5000} }}",
        f"ASK {{ ?s ?p '{'(' * 5000}' }} #{'(' * 5000}",
        "ASK { " + "}" * 100,
    ],
)
def test_what_is_only_long_is_not_too_deep(query: str) -> None:
    assert not too_deep(query)
