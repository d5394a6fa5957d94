"""Every setting is read from its variable and checked."""

from dataclasses import fields

import pytest
from limits import parse_many

from service.settings import InvalidSetting, Settings, near_misses, warn_of_near_misses

GIVEN = {
    "HOST": ("0.0.0.0", "host", "0.0.0.0"),
    "PORT": ("80", "port", 80),
    "WEB_CONCURRENCY": ("3", "workers", 3),
    "THREADS": ("2", "threads", 2),
    "GRACEFUL_TIMEOUT": ("5", "graceful_timeout", 5),
    "CLIENT_TIMEOUT": ("7", "client_timeout", 7),
    "LOG_LEVEL": ("warning", "log_level", "warning"),
    "MAX_BODY_BYTES": ("4096", "max_body_bytes", 4096),
    "DEFAULT_TIME_MS": ("100", "default_time_ms", 100),
    "MAX_TIME_MS": ("5000", "max_time_ms", 5000),
    "MAX_NODES": ("1000", "max_nodes", 1000),
    "MAX_SEARCHES": ("3", "max_searches", 3),
    "MAX_QUEUED": ("0", "max_queued", 0),
    "TABLE_MB": ("1", "table_mb", 1),
    "BOOKS": ("/books:one.book", "books", "/books:one.book"),
    "TABLEBASES": ("/tables", "tablebases", "/tables"),
    "TABLEBASES_MB": ("100", "tablebases_mb", 100),
    "MAX_POSITIONS": ("1000", "max_positions", 1000),
    "PUBLIC_URL": ("https://example.org:8443/oracle/", "public_url", "https://example.org:8443/oracle"),
    "CORS_ORIGIN": ("https://example.org:8443", "cors_origin", "https://example.org:8443"),
    "RATE_LIMIT": ("5/second; 100 per 2 hours", "rate_limit", "5/second; 100 per 2 hours"),
    "RATE_LIMIT_STORAGE": ("rediss://:x@redis:6380/1", "rate_limit_storage", "rediss://:x@redis:6380/1"),
    "TRUSTED_PROXIES": ("2", "trusted_proxies", 2),
    "MCP": ("off", "mcp", "off"),
    "MCP_HOSTS": ("oracle.example.org, localhost", "mcp_hosts", "oracle.example.org, localhost"),
    "CACHE_URL": ("rediss://me:a%3Fb@[::1]:6380/2", "cache_url", "rediss://me:a%3Fb@[::1]:6380/2"),
    "CACHE_SECRET": ("open sesame", "cache_secret", "open sesame"),
}


def test_every_setting_is_read_from_its_variable() -> None:
    assert [setting.metadata["variable"] for setting in fields(Settings)] == list(GIVEN)
    for variable, (text, name, value) in GIVEN.items():
        assert getattr(Settings.from_environment({variable: text}), name) == value


def test_all_values_that_cannot_be_used_are_named_at_once() -> None:
    with pytest.raises(InvalidSetting) as caught:
        Settings.from_environment({"TABLE_MB": "x", "MAX_NODES": "-1", "PORT": "80", "CACHE_URL": "hunter2"})
    assert str(caught.value).splitlines() == [
        "MAX_NODES='-1': must be a whole number from 1 to 1000000000000",
        "TABLE_MB='x': must be a whole number from 1 to 1048576",
        "CACHE_URL=...: must be the URL of a Redis, such as redis://:password@host:6379/0, rediss:// or unix://",
    ]


def test_what_is_not_set_or_empty_has_its_default() -> None:
    assert Settings.from_environment({}) == Settings.from_environment(dict.fromkeys(GIVEN, "")) == Settings()


REFUSED = {
    "PORT": ("abc", "65536", "-1", " 80", "\u00b2", "9" * 5000),
    "WEB_CONCURRENCY": ("0",),
    "LOG_LEVEL": ("loud",),
    "PUBLIC_URL": (
        *("example.org", "ftp://example.org", "https://", "https://example.org:65536", "https://me@example.org"),
        *("https://example.org/?a=b", "https://example.org/#a", 'https://example.org/"><script>'),
    ),
    "CORS_ORIGIN": ("example.org", "https://a\r\nSet-Cookie: b"),
    "RATE_LIMIT": (
        *("100", "0 per minute", "many per minute", "10 per fortnight", "10 per 0 minutes"),
        *("10 per minute, 5 per second", "10 per minute;"),
    ),
    "TRUSTED_PROXIES": ("-1", "17"),
    "MCP": ("yes",),
    "MCP_HOSTS": ("https://oracle.example.org", "oracle.example.org:8000"),
}

NO_REDIS = {
    "CACHE_URL": (
        *("cache:6379", "http://cache", "redis://", "redis:///0", "unix://", "redis://:hunter2@cache:hunter2"),
        *("redis://:hunter2@cache:0", "redis://:hunter2@[cache/0", "redis://:hunter2@cache/hunter2"),
        *("redis://:hunter2@cache/0/1", "redis://:hunter2@cache?socket_timeout=60", "redis://:hunter2#@cache"),
        "redis://:hunter2\udcff@cache",
    ),
    "CACHE_SECRET": ("hunter2\udcff",),
    "RATE_LIMIT_STORAGE": (
        *(
            "redis",
            "memcached://localhost",
            "redis://",
            "redis://:hunter2@localhost:port",
            "redis://:hunter2@[:::]:6379",
        ),
        *("redis://:hunter2@localhost:0", "redis://:hunter2@localhost:99999/0", "redis://:hunter2[@localhost"),
        *("redis://:hunter2?@localhost", "redis://:hunter2#@localhost", "redis://:hunter2\udcff@localhost"),
    ),
}
"""What is no URL of a Redis, nor a secret: these are not shown."""


@pytest.mark.parametrize("variable", [*REFUSED, *NO_REDIS])
def test_a_value_that_cannot_be_used_is_refused_by_name_and_a_secret_one_not_shown(variable: str) -> None:
    for text in (*REFUSED.get(variable, ()), *NO_REDIS.get(variable, ())):
        reason = "must be UTF-8$" if "\udcff" in text else "must be "
        with pytest.raises(InvalidSetting, match=f"^{variable}=.*: {reason}") as caught:
            Settings.from_environment({variable: text})
        told = repr(text) if variable in REFUSED else "=...:"
        assert told in str(caught.value)
        assert "hunter2" not in str(caught.value)


def test_every_kind_of_url_that_a_redis_has_will_do_and_is_kept_secret() -> None:
    for url in ("redis://cache", "redis://:hunter2@10.0.0.1:6379/0", "unix:///run/redis.sock"):
        assert Settings.from_environment({"CACHE_URL": url}).cache_url == url
    shown = repr(Settings(cache_url="redis://:hunter2@cache", cache_secret="hunter3"))
    assert "hunter" not in shown
    assert "table_mb=128" in shown


def test_the_limits_that_are_taken_are_those_that_the_library_reads() -> None:
    rate = "10 per  2 minutes;5/seconds ; 1000 per year"
    assert len(parse_many(Settings.from_environment({"RATE_LIMIT": rate}).rate_limit)) == 3


def test_a_default_limit_above_the_ceiling_is_refused() -> None:
    with pytest.raises(InvalidSetting, match="DEFAULT_TIME_MS=5000 must not be greater than MAX_TIME_MS=4999"):
        Settings.from_environment({"MAX_TIME_MS": "4999"})


@pytest.mark.parametrize("variable", ["CACHE_URL", "RATE_LIMIT_STORAGE"])
def test_a_setting_for_redis_without_its_package_says_what_to_install(
    variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.settings.find_spec", lambda _: None)
    with pytest.raises(InvalidSetting, match=rf"{variable} needs .*pip install 'move-oracle\[redis\]'"):
        Settings.from_environment({variable: "redis://localhost"})


NEAR_MISSES = {
    "MAX_SERCHES": "MAX_SEARCHES",
    "max_searches": "MAX_SEARCHES",
    "MAX-NODES": "MAX_NODES",
    "LOGLEVEL": "LOG_LEVEL",
    "RATE_LIMITS": "RATE_LIMIT",
    "CORS_ORIGINS": "CORS_ORIGIN",
    "CACHE_SECRETS": "CACHE_SECRET",
    "TABLEBASE_MB": "TABLEBASES_MB",
    "HOSTS": "HOST",
}


@pytest.mark.parametrize(("given", "meant"), NEAR_MISSES.items())
def test_a_variable_that_nearly_has_the_name_of_a_setting_is_found(given: str, meant: str) -> None:
    assert list(near_misses({given: "1"})) == [(given, meant)]


def test_settings_what_is_empty_and_what_other_programs_read_are_no_near_misses() -> None:
    others = (
        *("HOME", "HOSTNAME", "PATH", "POST", "PWD", "USER", "LANG", "LC_ALL", "TERM", "TZ", "PYTHONPATH"),
        *("REDIS_URL", "REDIS_PORT", "OMP_NUM_THREADS", "XDG_CACHE_HOME", "HTTP_PROXY", "KUBERNETES_SERVICE_HOST"),
        *("MOVE_ORACLE_PORT", "MOVE_ORACLE_SERVICE_HOST", "MOVE_ORACLE_SERVICE_PORT", "PROMETHEUS_MULTIPROC_DIR"),
    )
    assert not [*near_misses(dict.fromkeys((*GIVEN, *others), "1") | {"MAX_SERCHES": ""})]


def test_a_near_miss_is_logged_with_what_it_may_mean_and_without_its_value(caplog: pytest.LogCaptureFixture) -> None:
    warn_of_near_misses({"MAX_SERCHES": "3", "CACHE_SECRETS": "hunter2"})
    assert caplog.messages == [
        "The variable CACHE_SECRETS is no setting, so it has no effect; CACHE_SECRET may be meant",
        "The variable MAX_SERCHES is no setting, so it has no effect; MAX_SEARCHES may be meant",
    ]
