// @ts-check
// vitest runs this before the tests of what is built: a runner that is started by itself finds it up to date too.
import { buildStale } from './stale.js'

export default () => buildStale()
