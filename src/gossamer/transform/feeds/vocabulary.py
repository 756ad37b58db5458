"""The vocabulary that feeds are mapped to, as in docs/vocabularies.md."""

from typing import Final

from gossamer.transform.terms import RDF, known

_RSS: Final = "http://purl.org/rss/1.0/"
_DCTERMS: Final = "http://purl.org/dc/terms/"
_FOAF: Final = "http://xmlns.com/foaf/0.1/"
_SCHEMA: Final = "http://schema.org/"

CHANNEL: Final = known(f"{_RSS}channel")
ITEM: Final = known(f"{_RSS}item")
TITLE: Final = known(f"{_RSS}title")
LINK: Final = known(f"{_RSS}link")
DESCRIPTION: Final = known(f"{_RSS}description")
ITEMS: Final = known(f"{_RSS}items")
SEQUENCE: Final = known(f"{RDF}Seq")
ENCODED: Final = known("http://purl.org/rss/1.0/modules/content/encoded")

CONTRIBUTOR: Final = known(f"{_DCTERMS}contributor")
CREATED: Final = known(f"{_DCTERMS}created")
CREATOR: Final = known(f"{_DCTERMS}creator")
IDENTIFIER: Final = known(f"{_DCTERMS}identifier")
ISSUED: Final = known(f"{_DCTERMS}issued")
LANGUAGE: Final = known(f"{_DCTERMS}language")
LICENSE: Final = known(f"{_DCTERMS}license")
MODIFIED: Final = known(f"{_DCTERMS}modified")
PUBLISHER: Final = known(f"{_DCTERMS}publisher")
REFERENCES: Final = known(f"{_DCTERMS}references")
RIGHTS: Final = known(f"{_DCTERMS}rights")
SOURCE: Final = known(f"{_DCTERMS}source")
SUBJECT: Final = known(f"{_DCTERMS}subject")

AGENT: Final = known(f"{_FOAF}Agent")
NAME_OF_AGENT: Final = known(f"{_FOAF}name")
MAILBOX: Final = known(f"{_FOAF}mbox")
HOMEPAGE: Final = known(f"{_FOAF}homepage")

ABSTRACT: Final = known(f"{_SCHEMA}abstract")
ACTOR: Final = known(f"{_SCHEMA}actor")
ASSOCIATED_MEDIA: Final = known(f"{_SCHEMA}associatedMedia")
CONTENT_SIZE: Final = known(f"{_SCHEMA}contentSize")
CONTENT_URL: Final = known(f"{_SCHEMA}contentUrl")
DESCRIPTION_OF_MEDIA: Final = known(f"{_SCHEMA}description")
DISCUSSION: Final = known(f"{_SCHEMA}discussionUrl")
DURATION: Final = known(f"{_SCHEMA}duration")
ENCODING_FORMAT: Final = known(f"{_SCHEMA}encodingFormat")
EPISODE_NUMBER: Final = known(f"{_SCHEMA}episodeNumber")
FAMILY_FRIENDLY: Final = known(f"{_SCHEMA}isFamilyFriendly")
HEIGHT: Final = known(f"{_SCHEMA}height")
IMAGE: Final = known(f"{_SCHEMA}image")
MEDIA_OBJECT: Final = known(f"{_SCHEMA}MediaObject")
NAME: Final = known(f"{_SCHEMA}name")
PODCAST_EPISODE: Final = known(f"{_SCHEMA}PodcastEpisode")
PODCAST_SERIES: Final = known(f"{_SCHEMA}PodcastSeries")
SEASON_NUMBER: Final = known(f"{_SCHEMA}seasonNumber")
THUMBNAIL: Final = known(f"{_SCHEMA}thumbnailUrl")
TRANSCRIPT: Final = known(f"{_SCHEMA}transcript")
WIDTH: Final = known(f"{_SCHEMA}width")
