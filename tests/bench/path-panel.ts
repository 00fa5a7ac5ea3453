/* The entry of a panel without its window, which begins as the real ones do. */
import { startAhead } from '../../src/main/base/thread-ahead.ts'

startAhead('databases')
await import('./path-panel-run.ts')
