// A process of its own for the lock tests: takes the lock named by its argument, says so, and holds it until it ends.
import { takeLock } from '../db/lock-file'

try {
  takeLock(process.argv[2] ?? '')
  process.stdout.write('locked\n')
  process.stdin.on('data', () => process.exit(0))
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : 'failed'}\n`)
  process.exit(3)
}
