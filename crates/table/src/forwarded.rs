//! Whose request it is, behind a proxy. Limits by address are useless where all requests come from one; and what a header says is
//! believed only from proxies that the owner named.

use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderName};

/// Where proxies write for whom they ask: a list, each proxy adds the address that it saw.
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

fn bare(text: &str) -> Option<IpAddr> {
    text.parse().ok().map(|ip: IpAddr| ip.to_canonical())
}

/// An address as proxies write it: bare, in brackets, or with a port.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix('[') {
        return bare(rest.split_once(']')?.0);
    }
    bare(text).or_else(|| bare(text.rsplit_once(':')?.0))
}

/// The address a request counts for. From a trusted proxy it is the last one in the list that is no trusted proxy; everything before
/// that was written by somebody else and may be anything. A proxy that says nothing that can be read counts itself.
pub fn origin_of(peer: IpAddr, headers: &HeaderMap, trusted: &[IpAddr]) -> IpAddr {
    let mut from = peer;
    if !trusted.contains(&from) {
        return from;
    }
    let lists = headers.get_all(FORWARDED_FOR).iter().rev();
    for entry in lists.flat_map(|list| list.to_str().unwrap_or_default().rsplit(',')) {
        let Some(said) = address(entry) else { return from };
        from = said;
        if !trusted.contains(&from) {
            return from;
        }
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(peer: &str, lists: &[&str], trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for list in lists {
            headers.append(FORWARDED_FOR, list.parse().expect("a header"));
        }
        let trusted: Vec<IpAddr> = trusted.iter().map(|t| t.parse().expect("an address")).collect();
        origin_of(peer.parse().expect("an address"), &headers, &trusted).to_string()
    }

    #[test]
    fn only_named_proxies_are_believed() {
        let proxy = ["127.0.0.1", "10.0.0.2"];
        assert_eq!(origin("192.0.2.1", &["198.51.100.7"], &proxy), "192.0.2.1");
        assert_eq!(origin("127.0.0.1", &["198.51.100.7"], &proxy), "198.51.100.7");
        assert_eq!(origin("127.0.0.1", &["198.51.100.7"], &[]), "127.0.0.1");
        // What the client wrote itself comes before what the proxy added.
        assert_eq!(origin("127.0.0.1", &["1.2.3.4, 198.51.100.7"], &proxy), "198.51.100.7");
        assert_eq!(origin("127.0.0.1", &["1.2.3.4", "198.51.100.7, 10.0.0.2"], &proxy), "198.51.100.7");
        assert_eq!(origin("127.0.0.1", &["[2001:db8::7]:4711"], &proxy), "2001:db8::7");
        assert_eq!(origin("127.0.0.1", &["::ffff:198.51.100.7"], &proxy), "198.51.100.7");
        assert_eq!(origin("127.0.0.1", &["198.51.100.7:4711"], &proxy), "198.51.100.7");
    }

    #[test]
    fn a_proxy_that_says_nothing_counts_itself() {
        for lists in [&[][..], &["unknown"], &[""], &["1.2.3.4, nonsense"]] {
            assert_eq!(origin("127.0.0.1", lists, &["127.0.0.1"]), "127.0.0.1", "{lists:?}");
        }
    }
}
