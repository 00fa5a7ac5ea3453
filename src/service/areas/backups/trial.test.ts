import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, it, onTestFinished } from 'vitest'
import { memoryMb } from '../../../host/computer-memory.ts'
import { withoutNetwork } from '../../runtime/processes/without-network.ts'
import { inContainers } from '../../service.fixture.ts'
import { withPaper } from './backups.fixture.ts'

const isPossible = (await withoutNetwork({ file: 'true', args: [], cwd: '/', env: {} })) !== null
const HERE = '127.0.0.1'
const outward = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

/** Counts who connects, at every address of this computer. */
async function listening() {
  const found: string[] = []
  const server = createServer((socket) => {
    found.push(socket.localAddress ?? '')
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  return { port, taken: () => found.splice(0) }
}

// In a container it never reaches this computer, trial or not.
it.skipIf(!isPossible || inContainers)(
  `what is started for a trial reaches neither this computer nor the network${isPossible ? '' : ' (no namespaces here)'}`,
  async () => {
    const { ask, id, put, backUp, list, settled, power, reaches } = await withPaper()
    const { port, taken } = await listening()
    const places = outward === undefined ? [HERE] : [HERE, outward]
    await put('plugins/Reach/places.txt', places.map((place) => `${place} ${port}\n`).join(''))
    const made = await backUp()
    // It does where nothing keeps it from it.
    await power('start')
    await reaches('online')
    expect(taken()).toEqual(places)
    await power('stop')
    await reaches('offline')
    await ask(`POST /servers/backups/try/${id}`, { backup: made.id, start: true })
    await settled()
    expect((await list())[0].tried).toMatchObject({ result: 'started', cutOff: true })
    expect(taken()).toEqual([])
  },
)

it('nothing is started for a trial where it would take the memory of what runs', async () => {
  const { ask, id, backUp, list, settled } = await withPaper()
  const made = await backUp()
  const { body: config } = await ask(`GET /servers/config/${id}`)
  // There is always less free than there is.
  const changed = await ask(`PATCH /servers/config/${id}`, { memoryMb: memoryMb() })
  expect([changed.status, config.memoryMb]).toEqual([200, 512])
  const refused = await ask(`POST /servers/backups/try/${id}`, { backup: made.id, start: true })
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'backups.no-memory' } } })
  expect((await ask(`POST /servers/backups/try/${id}`, { backup: made.id })).status).toBe(202)
  await settled()
  expect((await list())[0].tried).toMatchObject({ result: 'sound' })
})
