"""The service: REST, SPARQL endpoint and monitoring over HTTP, on whatever answers for a folder."""
