import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { EngineSettings } from '../../src/service/runtime/containers/engine.ts'
import { startService } from '../../src/service/service.ts'

/** What this is started with, as JSON. */
export interface ControllerOnNodes {
  folder: string
  count: number
  engine: EngineSettings
}

const ACCOUNT = { email: 'owner@example.com', password: 'a password that is long enough' }
const OFTEN = { burst: 100_000, perSecond: 1000 }

const { folder, count, engine } = JSON.parse(process.argv[2] ?? '') as ControllerOnNodes
const script = path.join(folder, 'idle.mjs')
writeFileSync(script, '')
process.env['WHEELHOUSE_SCRIPT'] = script
const service = await startService({
  ...{ dataDir: path.join(folder, 'data'), nodePath: process.execPath, engine },
  bounds: {
    servers: count,
    rates: { 'servers.create': OFTEN, 'servers.power': OFTEN, 'servers.status': OFTEN },
  },
})
await service.accounts.create({ name: 'Owner', ...ACCOUNT })
const answer = await fetch(`${service.baseUrl}/auth/login`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(ACCOUNT),
})
const { token } = (await answer.json()) as { token: string }
process.once('message', () => void service.close(true).then(() => process.exit()))
process.send?.({ baseUrl: service.baseUrl, token })
