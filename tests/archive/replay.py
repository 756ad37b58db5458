"""Run in the environment of tests/archive/requirements.in: print what pywb answers for URLs of an archive, a line each."""

import hashlib
import json
import sys

from pywb.apps.frontendapp import FrontEndApp
from werkzeug.test import Client

archive, index, *urls = sys.argv[1:]
collection = {"index_paths": index, "archive_paths": f"{archive}/"}
settings = {"collections": {"all": collection}, "framed_replay": False}
client = Client(FrontEndApp(custom_config=settings))
for url in urls:
    answer = client.get(f"/all/id_/{url}", follow_redirects=True)
    told = {"status": answer.status_code, "sha256": hashlib.sha256(answer.get_data()).hexdigest()}
    sys.stdout.write(f"{json.dumps({'url': url, **told})}\n")
