/* A service whose limits of accounts are lifted, for measuring: prints its base address and ends with its parent. */
import { LIMITS } from '../../../src/service/http/limits/limits.ts'
import { startService } from '../../../src/service/service.ts'

const lifted = { points: 1_000_000_000, seconds: 1 }
const limits = Object.fromEntries(Object.keys(LIMITS).map((name) => [name, lifted]))

const service = await startService({
  dataDir: process.argv[2] ?? '',
  nodePath: process.execPath,
  allowRegistration: true,
  limits,
})
process.stdout.write(`Service: ${service.baseUrl}\n`)
process.stdin.resume().once('end', () => void service.close(true).then(() => process.exit()))
