// Loaded into a measured process: says how much processor time all its threads have used, in microseconds.
process.on('message', (message) => {
  if (message !== 'cpu') return
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: user + system, rss: process.memoryUsage.rss() })
})

// A benchmark that is broken off leaves nothing running.
process.on('disconnect', () => process.exit())
