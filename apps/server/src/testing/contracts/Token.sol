// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Its first coins are the deployer's. Its transfer takes more call data than it reads, as those of all compiled contracts do.
contract Token {
  event Transfer(address indexed from, address indexed to, uint256 value);
  uint8 public immutable decimals;
  mapping(address => uint256) public balanceOf;
  constructor(uint8 d) { decimals = d; balanceOf[msg.sender] = type(uint128).max; }
  function transfer(address to, uint256 value) external returns (bool) {
    require(balanceOf[msg.sender] >= value, "not enough");
    balanceOf[msg.sender] -= value;
    balanceOf[to] += value;
    emit Transfer(msg.sender, to, value);
    return true;
  }
}
