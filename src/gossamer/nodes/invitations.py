"""Invitations to a crawl: a user of the database with the rights of a node and no more, for one machine.

    nodes invite               the database                            join
        role, password, end ──▶ gossamer_NAME                 ◀── connects before the end
        its function        ──▶ take_up_NAME                  ◀── a password of its own, no end
        revoke              ──▶ sessions ended, role dropped

Who takes an invitation up gives its user another password, which nobody else knows, so the invitation is
used up; that user is the node's from then on, until it is revoked. What a node may is granted to one group,
to which all invited users belong: read and write the rows of the crawl's tables, and no more.
"""

import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import quote, urlencode

import psycopg
from psycopg import conninfo, sql

from gossamer.errors import ConfigError, DataFolderError
from gossamer.frontier import postgres_server as server
from gossamer.frontier.postgres_upgrade import schema_version
from gossamer.nodes.joining import SCHEMA, SILENCE

PREFIX: Final = server.INVITED
NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
USUAL_LIFETIME: Final = timedelta(days=1)
# Of the inviter's address, what is as true for others; files and passwords are not.
_FOR_OTHERS: Final = ("sslmode", "target_session_attrs", "channel_binding", "gssencmode")
_FACT: Final = "invitation "

_TAKE_UP: Final = """CREATE FUNCTION {function}(verifier text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF verifier NOT LIKE 'SCRAM-SHA-256$%' THEN
        RAISE 'this is no password that was encrypted';
    END IF;
    EXECUTE format('ALTER ROLE %I PASSWORD %L VALID UNTIL ''infinity''', {role}, verifier);
END $$"""


@dataclass(frozen=True, slots=True)
class Invitation:
    """An invitation that was made: its token is an address of the database, and is shown once."""

    name: str
    token: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation as it stands."""

    name: str
    until: datetime | None  # None once it was taken up
    is_over: bool  # nobody took it up in time
    node: str | None  # who did
    sessions: int  # connections that it has now


class Invitations:
    """The invitations of the crawl in one database. Use it as `with Invitations.open(address) as …`."""

    def __init__(self, connection: server.Connection, address: str) -> None:
        self._connection = connection
        self._address = address

    @classmethod
    @contextmanager
    def open(cls, address: str) -> Iterator["Invitations"]:
        """Connect as the user of this address, which may be allowed to invite."""
        try:
            with server.connect(address, SCHEMA, SILENCE) as connection:
                if schema_version(connection, SCHEMA)[0] is None:
                    raise DataFolderError(
                        f"There is no crawl in {server.address(address)} to invite to. Begin it first."
                    )
                yield cls(connection, address)
        except psycopg.OperationalError as error:
            raise DataFolderError(
                f"PostgreSQL cannot be reached: {server.address(address)} ({server.reason(error)})."
            ) from None
        except psycopg.errors.InsufficientPrivilege as error:
            raise DataFolderError(_not_allowed(error, address)) from None
        except psycopg.Error as error:
            raise server.sentence(error, address) from error

    def invite(self, name: str, lifetime: timedelta, reach: str | None = None) -> Invitation:
        """Make an invitation; `reach` is HOST[:PORT] as other machines reach the database."""
        role, secret = PREFIX + name, secrets.token_urlsafe(24)
        connection = self._connection
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(hashtext('gossamer invitations'))")
            if self._scalar("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = %s)", role):
                raise ConfigError(
                    f"There is an invitation {name} on this server already. Choose another name, or take "
                    f"that one back with `gossamer nodes invite --revoke {name}`."
                )
            group = self._group()
            until = self._scalar("SELECT date_trunc('second', now() + %s)", lifetime)
            self._do(
                "CREATE ROLE {role} LOGIN PASSWORD {secret} VALID UNTIL {until} IN ROLE {group}",
                role=sql.Identifier(role),
                secret=sql.Literal(_encrypted(connection, secret, role)),
                until=sql.Literal(until.isoformat()),
                group=group,
            )
            function = _function(name)
            self._do(_TAKE_UP, function=function, role=sql.Literal(role))
            self._do("REVOKE ALL ON FUNCTION {function}(text) FROM PUBLIC", function=function)
            self._do(
                "GRANT EXECUTE ON FUNCTION {function}(text) TO {role}",
                function=function,
                role=sql.Identifier(role),
            )
        return Invitation(name, _token(self._address, connection, role, secret, reach), until)

    def all(self) -> list[Invited]:
        """All invitations to this crawl, by name."""
        rows = self._connection.execute(
            f"""SELECT role.rolname, isfinite(role.rolvaliduntil),
                CASE WHEN isfinite(role.rolvaliduntil) THEN role.rolvaliduntil END,
                coalesce(role.rolvaliduntil <= now(), false),
                (SELECT value FROM facts WHERE name = '{_FACT}' || substr(role.rolname, {len(PREFIX) + 1})),
                (SELECT count(*) FROM pg_stat_activity WHERE usesysid = role.oid)
            FROM pg_auth_members JOIN pg_roles AS role ON role.oid = member
            JOIN pg_roles AS whole ON whole.oid = roleid
            WHERE whole.rolname = %s AND starts_with(role.rolname, '{PREFIX}') ORDER BY 1""",
            [self._group_name()],
        ).fetchall()
        return [
            Invited(
                name=role.removeprefix(PREFIX),
                until=until if is_open else None,
                is_over=is_open and is_over,
                node=None if node is None else bytes(node).decode(),
                sessions=sessions,
            )
            for role, is_open, until, is_over, node, sessions in rows
        ]

    def revoke(self, name: str) -> bool:
        """Take an invitation back, with the access of whoever took it up; False where there is none."""
        if name not in {each.name for each in self.all()}:
            return False
        role = sql.Identifier(PREFIX + name)
        self._do("ALTER ROLE {role} NOLOGIN", role=role)  # so that nobody comes back meanwhile
        if not self._scalar("SELECT pg_has_role(current_user, %s, 'USAGE')", PREFIX + name):
            self._do("GRANT {role} TO CURRENT_USER", role=role)
        self._connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s",
            [PREFIX + name],
        )
        with self._connection.transaction():
            self._do("DROP FUNCTION IF EXISTS {function}(text)", function=_function(name))
            self._do("DROP ROLE {role}", role=role)
            self._connection.execute("DELETE FROM facts WHERE name = %s", [_FACT + name])
        return True

    def _group(self) -> sql.Identifier:
        """The group that all invited users belong to, with the rights of a node, as they are today."""
        group = sql.Identifier(self._group_name())
        if not self._scalar(
            "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = %s)", self._group_name()
        ):
            self._do("CREATE ROLE {group} NOLOGIN", group=group)
        owner = self._scalar(
            "SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = to_regclass('version')"
        )
        parts = {
            "group": group,
            "schema": sql.Identifier(SCHEMA),
            "database": sql.Identifier(self._connection.info.dbname),
            "owner": sql.Identifier(owner),
        }
        for statement in (
            "GRANT CONNECT ON DATABASE {database} TO {group}",
            "GRANT USAGE ON SCHEMA {schema} TO {group}",
            "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO {group}",
            "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA {schema} TO {group}",
            # Which version the tables have is for those to say who may change them.
            "REVOKE INSERT, UPDATE, DELETE ON {schema}.version FROM {group}",
            # Later versions of Gossamer bring more tables.
            "ALTER DEFAULT PRIVILEGES FOR ROLE {owner} IN SCHEMA {schema} "
            "GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {group}",
            "ALTER DEFAULT PRIVILEGES FOR ROLE {owner} IN SCHEMA {schema} "
            "GRANT USAGE, SELECT ON SEQUENCES TO {group}",
        ):
            self._do(statement, **parts)
        return group

    def _group_name(self) -> str:
        """The name of the group; users are of the whole server, so it has the database's number."""
        number = self._scalar("SELECT oid FROM pg_database WHERE datname = current_database()")
        return f"{PREFIX}nodes_of_{number}"

    def _do(self, statement: str, **parts: sql.Composable) -> None:
        self._connection.execute(sql.SQL(statement).format(**parts))

    def _scalar(self, query: str, *values: object) -> Any:  # noqa: ANN401 (whatever was asked for)
        return self._connection.execute(query, values).fetchall()[0][0]


def new_name() -> str:
    """A name for an invitation that nobody has named."""
    return f"node-{secrets.token_hex(4)}"


def is_invitation(address: str) -> bool:
    """Whether an address may be an invitation: its user is named like those who are invited."""
    return str(conninfo.conninfo_to_dict(address).get("user") or "").startswith(PREFIX)


def with_new_password(address: str) -> str:
    """The address with another password, which nobody knows yet."""
    return conninfo.make_conninfo(address, password=secrets.token_urlsafe(24))


def take_up(token: str, own: str, node: str) -> bool:
    """Use an invitation up: from now on its user has the password of `own`, the node's own address.

    False where the user was not invited, and keeps the password that it has.
    """
    given = conninfo.conninfo_to_dict(own)
    role = str(given["user"])
    name = role.removeprefix(PREFIX)
    try:
        with server.connect(token, SCHEMA, SILENCE) as connection, connection.transaction():
            function = _function(name).as_string(connection)
            if connection.execute("SELECT to_regproc(%s)", [function]).fetchall() == [(None,)]:
                return False
            verifier = _encrypted(connection, str(given["password"]), role)
            connection.execute(sql.SQL("SELECT {}(%s)").format(_function(name)), [verifier])
            connection.execute(
                """INSERT INTO facts (name, value) VALUES (%s, %s)
                ON CONFLICT (name) DO UPDATE SET value = excluded.value""",
                [_FACT + name, node.encode()],
            )
    except psycopg.Error as error:
        raise server.sentence(error, token) from error
    return True


def _function(name: str) -> sql.Identifier:
    return sql.Identifier(SCHEMA, f"take_up_{name}")


def _encrypted(connection: server.Connection, secret: str, role: str) -> str:
    """What the server keeps of a password: neither its log nor its tables have the password itself."""
    return connection.pgconn.encrypt_password(
        secret.encode(), role.encode(), b"scram-sha-256"
    ).decode()


def _token(
    address: str, connection: server.Connection, role: str, secret: str, reach: str | None
) -> str:
    """The address of the database for whoever was invited, in one line without blanks."""
    given: Mapping[str, Any] = conninfo.conninfo_to_dict(address)
    host, port = connection.info.host, str(connection.info.port)
    if reach is not None:
        host, _, port = (
            reach.rpartition(":") if re.search(r"[^:]:\d+$|\]:\d+$", reach) else (reach, "", port)
        )
        host = host.strip("[]")
    more = {name: str(given[name]) for name in _FOR_OTHERS if given.get(name)}
    if host.startswith("/"):
        more["host"], host = host, ""
    place = f"[{host}]" if ":" in host else host
    database = quote(connection.info.dbname, safe="")
    query = f"?{urlencode(more)}" if more else ""
    return f"postgresql://{role}:{secret}@{place}:{port}/{database}{query}"


def is_for_this_machine_only(token: str) -> bool:
    """Whether other machines cannot reach the database by this token."""
    from gossamer.frontier.postgres_tls import is_here

    return is_here(conninfo.conninfo_to_dict(token), {})


def _not_allowed(error: psycopg.Error, address: str) -> str:
    user = conninfo.conninfo_to_dict(address).get("user")
    who = f"The user {user}" if user else "Our user"
    said = (error.diag.message_primary or str(error)).partition("\n")[0]
    return (
        f"{who} of {server.address(address)} may not invite nodes: {said}. Have an administrator of the "
        'server run ALTER ROLE "USER" CREATEROLE, or name another user with --frontier. Nodes can also '
        "join with the address that you have."
    )
