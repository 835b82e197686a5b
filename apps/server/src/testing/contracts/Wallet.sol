// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Wallet {
  address immutable owner;
  constructor(address o) { owner = o; }
  function isValidSignature(bytes32 hash, bytes calldata s) external view returns (bytes4) {
    address who = ecrecover(hash, uint8(s[64]), bytes32(s[0:32]), bytes32(s[32:64]));
    return who == owner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
  }
  function execute(address to, bytes calldata data) external {
    (bool ok, ) = to.call(data);
    require(ok, "refused");
  }
}
