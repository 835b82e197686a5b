// Loaded first in the process that reads files, and in each of its threads: whatever a file makes a library do, nothing
// leaves it. The process has no secrets and no addresses either; this is the second lock. CommonJS, because threads
// take `--require` from their process and not `--import`.
const dgram = require('node:dgram')
const dns = require('node:dns')
const net = require('node:net')

const refuse = () => {
  throw new Error('There is no network here')
}

net.Socket.prototype.connect = refuse
net.Server.prototype.listen = refuse
dgram.createSocket = refuse
for (const resolver of [dns, dns.promises])
  for (const [name, value] of Object.entries(resolver))
    if (typeof value === 'function' && /^(?:lookup|resolve|reverse)/.test(name)) resolver[name] = refuse
