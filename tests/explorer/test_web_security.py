"""What the server of the explorer refuses, whoever asks."""

import asyncio

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from zermelo.explorer import api
from zermelo.explorer.processes import Denied
from zermelo.explorer.security import HEADERS, is_address, split_host
from zermelo.explorer.server import PAGES, ServerSettings, Statics, make_app

PORT = 8421
OURS = f"http://127.0.0.1:{PORT}"
TOKEN, COOKIE = "a-token-that-nobody-guesses", f"zermelo-token-{PORT}"


def client(known=True, **settings):
    """Asks an application that has started no process: what is refused, is refused before."""
    app = make_app(ServerSettings(TOKEN, port=PORT, **settings))
    return TestClient(app, base_url=OURS, follow_redirects=False, raise_server_exceptions=False,
                      headers={"authorization": f"Bearer {TOKEN}"} if known else {})


def refused(answer, status):
    assert answer.status_code == status, answer.text
    assert list(answer.json()) == ["error"]
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    return answer.json()["error"]


@pytest.mark.parametrize("host", [f"127.0.0.1:{PORT}", f"localhost:{PORT}", f"LOCALHOST:{PORT}",
                                  f"[::1]:{PORT}"])
def test_our_own_names_are_served(host):
    assert client().get("/api/v1/about", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", [
    "evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:80", f"127.0.0.2:{PORT}",
    f"127.0.0.1:{PORT}.evil.example", f"user@127.0.0.1:{PORT}", f"192.168.0.7:{PORT}", "",
    f"127.0.0.1:{PORT}0", f"localhost.:{PORT}", f"127.0.0.1:0{PORT}x"])
@pytest.mark.parametrize("path", ["/", "/api/v1/about", "/static/js/app.js"])
def test_a_foreign_host_is_refused(host, path):
    assert "not" in refused(client().get(path, headers={"host": host}), 403)


@pytest.mark.parametrize("origin", [
    "http://evil.example", f"http://evil.example:{PORT}", "null", "http://127.0.0.1",
    f"https://127.0.0.1:{PORT}", f"http://localhost:{PORT}", f"http://127.0.0.1:{PORT + 1}", "",
    "x"])
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_a_foreign_origin_is_refused(origin, method):
    answer = client().request(method, "/api/v1/sessions/1", headers={
        "origin": origin, "content-type": "application/json"})
    assert "may not use this server" in refused(answer, 403)


def test_our_own_origin_is_served():
    assert client().get("/api/v1/about", headers={"origin": OURS}).status_code == 200
    for name in ("localhost", "[::1]"):
        ours = f"http://{name}:{PORT}"
        headers = {"host": f"{name}:{PORT}", "origin": ours}
        assert client().get("/api/v1/about", headers=headers).status_code == 200


def test_two_hosts_are_one_too_many():
    twice = [("host", f"127.0.0.1:{PORT}"), ("Host", f"127.0.0.1:{PORT}")]
    assert "more than one header host" in refused(client().get("/", headers=twice), 400)


@pytest.mark.parametrize(("text", "name", "port"), [
    ("localhost:8421", "localhost", 8421), ("[::1]:8421", "::1", 8421), ("[::1]", "::1", 80),
    ("Example", "example", 80), ("a:b", "a", -1), ("a:123456", "a", -1), ("a:", "a", -1)])
def test_hosts_are_split(text, name, port):
    assert split_host(text) == (name, port)
    assert is_address(name) == (name == "::1")


def test_a_token_is_wanted():
    ask = client(host="0.0.0.0", known=False)
    wrong = "needs the token"
    assert wrong in refused(ask.get("/"), 403)
    assert wrong in refused(ask.get("/api/v1/about"), 403)
    assert wrong in refused(ask.get("/?token=wrong"), 403)
    assert wrong in refused(ask.get("/?token="), 403)
    assert wrong in refused(ask.get("/", headers={"cookie": f"{COOKIE}=wrong"}), 403)
    assert wrong in refused(ask.get("/", headers={"cookie": COOKIE}), 403)
    assert wrong in refused(ask.get("/", headers={"cookie": COOKIE.encode() + b'="\x80'}), 403)
    for given in (TOKEN, "Bearer", "Bearer wrong", f"Basic {TOKEN}"):
        assert wrong in refused(ask.get("/", headers={"authorization": given}), 403)
    assert wrong in refused(ask.post(f"/api/v1/sessions?token={TOKEN}", json={}), 403)


def test_the_token_becomes_a_cookie():
    ask = client(host="0.0.0.0", known=False)
    welcome = ask.get(f"/board?game=hex&moves=a1%2Cb2&token={TOKEN}")
    assert welcome.status_code == 303
    assert welcome.headers["location"] == "/board?game=hex&moves=a1%2Cb2"
    cookie = welcome.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie  # Strict: not sent after the file that leads the browser here
    assert cookie.startswith(f"{COOKIE}={TOKEN};")
    assert TOKEN not in welcome.headers["location"]
    ask.cookies.set(COOKIE, TOKEN)
    assert ask.get("/api/v1/about").status_code == 200


@pytest.mark.parametrize("before", ['a={"x":1, "y":2}', "a", "=", ";", "a=\"", "x[]=(1,2)",
                                    f"zermelo-token-{PORT + 1}=another", f"{COOKIE}=old"])
def test_cookies_of_other_programs_do_no_harm(before):
    headers = {"cookie": f"{before}; {COOKIE}={TOKEN}; b=c"}
    assert client(known=False).get("/api/v1/about", headers=headers).status_code == 200


def test_programs_show_the_token_in_a_header():
    for word in ("Bearer", "bearer"):
        headers = {"authorization": f"{word} {TOKEN}"}
        assert client(known=False).get("/api/v1/about", headers=headers).status_code == 200


def test_the_token_leads_to_no_other_site():
    scope = {**scope_of("GET", "//evil.example/", f"token={TOKEN}"), "server": None}
    welcome = client(known=False).app._welcome(Request(scope))
    assert welcome.headers["location"] == "/"


@pytest.mark.parametrize("host", [f"192.168.0.7:{PORT}", f"[fe80::1]:{PORT}"])
def test_bound_to_all_addresses_any_of_them_will_do(host):
    headers = {"host": host, "cookie": f"{COOKIE}={TOKEN}"}
    ask = client(host="0.0.0.0", known=False)
    assert ask.get("/api/v1/about", headers=headers).status_code == 200
    headers["host"] = f"evil.example:{PORT}"  # a name that was made to point here
    refused(ask.get("/api/v1/about", headers=headers), 403)


def test_bound_to_a_name_that_name_is_served():
    ask = client(host="my-machine", known=False)
    headers = {"host": f"My-Machine:{PORT}", "cookie": f"{COOKIE}={TOKEN}"}
    assert ask.get("/api/v1/about", headers=headers).status_code == 200


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded",
                                  "multipart/form-data; boundary=x", "application/octet-stream",
                                  "application/jsonp"])
@pytest.mark.parametrize("path", ["/api/v1/board", "/api/v1/sessions", "/api/v1/sessions/1/stop"])
def test_what_is_not_json_is_refused(kind, path):
    headers = {"content-type": kind} if kind else {}
    answer = client().post(path, content=b"{}", headers=headers)
    assert "is not application/json" in refused(answer, 415)


def test_a_certificate_is_no_json():
    answer = client().post("/api/v1/certificates", json={})
    assert "is not application/octet-stream" in refused(answer, 415)


def test_json_may_say_its_encoding():
    headers = {"content-type": "application/json; charset=utf-8"}
    assert client().post("/api/v1/board", content=b"[]", headers=headers).status_code == 400


@pytest.mark.parametrize(("body", "said"), [
    (b"{", "not JSON"), (b"[]", "named fields"), (b"\xff", "not JSON"), (b"nul", "not JSON"),
    (b"[" * 100_000, "not JSON"), (b'{"colour": 1}', "no field 'colour'")])
def test_a_body_that_is_no_object_is_refused(body, said):
    answer = client().post("/api/v1/board", content=body,
                           headers={"content-type": "application/json"})
    assert said in refused(answer, 400)


def test_a_body_of_10_mb_is_refused():
    headers = {"content-type": "application/json"}
    answer = client().post("/api/v1/board", content=b" " * 10_000_000, headers=headers)
    assert "at most 1 MB" in refused(answer, 413)


@pytest.mark.parametrize("length", ["99999999999", "-1", "1e3", "x", "٣"])
def test_a_length_that_is_none_is_refused(length):
    from zermelo.explorer.security import check_content

    scope = {"method": "POST", "path": "/api/v1/board"}
    headers = {"content-type": "application/json", "content-length": length}
    with pytest.raises(Denied, match="at most 1 MB"):
        check_content(scope, headers)


def test_a_body_without_a_length_is_counted():
    def parts():
        for _ in range(20):
            yield b" " * 100_000

    headers = {"content-type": "application/json"}
    answer = client().post("/api/v1/board", content=parts(), headers=headers)
    assert "at most 1 MB" in refused(answer, 413)


@pytest.mark.parametrize("path", PAGES)
def test_pages(path):
    answer = client().get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert "unsafe" not in answer.headers["content-security-policy"]


def test_files():
    known = Statics().files
    assert {"index.html", "js/app.js", "css/style.css"} <= set(known)
    for name in known:
        answer = client().get(f"/static/{name}")
        assert answer.status_code == 200
        assert answer.content == known[name].read_bytes()
        again = client().get(f"/static/{name}", headers={
            "if-none-match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", [
    "/static/../server.py", "/static/..%2fserver.py", "/static/%2e%2e/server.py",
    "/static/....//server.py", "/static//etc/passwd", "/static/js/../../server.py",
    "/static/js%2f..%2f..%2fserver.py", "/static/..%5cserver.py", "/static/", "/static",
    "/static/js", "/static/js/", "/static/js/app.js/", "/static/js/app.js%00", "/static/JS/app.js",
    "/static/index.html%00.js", "/static/~root/.profile", "/etc/passwd", "//etc/passwd",
    "/static/C:/windows/win.ini", "/index.html", "/board/", "/../../etc/passwd",
    "/static/js/app.js?/../../server.py%00", "/static/" + "a" * 5000])
def test_tricks_with_paths_lead_nowhere(path):
    answer = client().get(path)
    if answer.status_code == 200:  # the client itself has made another path of it
        assert answer.content in {one.read_bytes() for one in Statics().files.values()}
    else:
        refused(answer, 404)


def test_wrong_methods_and_addresses():
    assert "does not go with" in refused(client().put("/api/v1/about", json={}), 405)
    assert "nothing at this address" in refused(client().get("/api/v1/nothing"), 404)
    assert "nothing at this address" in refused(client().get("/api/v2/about"), 404)


def test_a_failure_is_a_sentence_and_no_trace(monkeypatch, caplog):
    from zermelo.explorer import server

    def fails(self, request):
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(server.Statics, "page", fails)
    answer = client().get("/")
    said = refused(answer, 503)
    assert "secret" not in answer.text
    assert "something went wrong" in said
    assert "secret" in caplog.text


def scope_of(method, path, query=""):
    return {"type": "http", "method": method, "path": path, "query_string": query.encode(),
            "headers": [(b"host", b"127.0.0.1:8421"), (b"content-type", b"application/json"),
                        (b"authorization", f"Bearer {TOKEN}".encode())]}


def test_a_client_that_leaves_in_the_middle_of_a_body_is_no_error(caplog):
    parts = [{"type": "http.request", "body": b'{"place', "more_body": True},
             {"type": "http.disconnect"}]

    async def receive():
        return parts.pop(0)

    async def send(message):
        assert message.get("status") != 503

    app = make_app(ServerSettings(TOKEN, port=PORT))
    asyncio.run(app(scope_of("POST", "/api/v1/board"), receive, send))
    assert caplog.records == []


def test_watchers_are_counted_before_they_are_let_in(monkeypatch):
    monkeypatch.setattr(api, "MOST_WATCHERS", 3)
    app = make_app(ServerSettings(TOKEN, port=PORT))

    async def watch(leave):
        statuses = []

        async def receive():
            await leave.wait()
            return {"type": "http.disconnect"}

        async def send(message):
            statuses.append(message.get("status"))

        await app(scope_of("GET", "/api/v1/events", "sessions=1"), receive, send)
        return statuses[0]

    async def several(count):
        leave = asyncio.Event()
        tasks = [asyncio.create_task(watch(leave)) for _ in range(count)]
        for _ in range(20):
            await asyncio.sleep(0)  # all have asked
        leave.set()
        return sorted(await asyncio.gather(*tasks))

    for _ in range(2):  # those who left are not counted any more
        assert asyncio.run(several(5)) == [200, 200, 200, 429, 429]
