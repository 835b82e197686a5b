/// Publishes the digest of a signed version of an agent: whoever reads the chain finds when its wallet stood by it. The package keeps no objects, takes no
/// coins and has no owner; the sender of the transaction is the author, and the chain's order says which anchor came first.
module agent_anchor::anchor;

use sui::event;

/// A digest is BLAKE2b-256.
const EDigestLength: u64 = 0;
/// Versions begin with 1.
const EVersion: u64 = 1;

/// What indexers and Parley's server find an author's anchors by.
public struct Anchored has copy, drop {
    /// The agent's id, which has the length of an address.
    agent: address,
    version: u64,
    /// The digest of the version's manifest.
    manifest: vector<u8>,
    author: address,
}

/// Called by a wallet's transaction alone, not by other packages: what a wallet anchors is in the bytes that it signs.
entry fun publish(agent: address, version: u64, manifest: vector<u8>, ctx: &TxContext) {
    assert!(manifest.length() == 32, EDigestLength);
    assert!(version > 0, EVersion);
    event::emit(Anchored { agent, version, manifest, author: ctx.sender() });
}
