// Loaded into a server by NODE_OPTIONS: its connections to YouTube lead to the stand-in on this port, without TLS.
const net = require('node:net')
const tls = require('node:tls')

const connect = tls.connect
tls.connect = (options, ...rest) => {
  if (options?.servername !== 'www.youtube.com') return connect(options, ...rest)
  const socket = net.connect({ host: '127.0.0.1', port: Number(process.env.YOUTUBE_PORT) })
  // What undici waits for.
  socket.once('connect', () => socket.emit('secureConnect'))
  return socket
}
