// Loaded first by the process that reads files: whatever a file makes a library do, nothing leaves it. The process has
// no secrets and no addresses either; this is the second lock.
import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'

const refuse = (): never => {
  throw new Error('There is no network here')
}

net.Socket.prototype.connect = refuse
net.Server.prototype.listen = refuse
dgram.createSocket = refuse
for (const resolver of [dns, dns.promises])
  for (const [name, value] of Object.entries(resolver))
    if (typeof value === 'function' && /^(?:lookup|resolve|reverse)/.test(name)) Reflect.set(resolver, name, refuse)
