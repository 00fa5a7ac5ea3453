import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeNest } from './files/safe-fs/deep-nest.fixture.ts'
import { giveAway, giveOne, isRoot, ordinaryUser, reachableFolder } from './ordinary-user.fixture.ts'
import { serviceProgram } from './service-program.fixture.ts'
import { openTestService } from './service.fixture.ts'

/** A data folder with an account and two servers, whose service has ended. It belongs to the ordinary user. */
async function withServers() {
  const dataDir = path.join(await reachableFolder(), 'data')
  const { service, call, account } = await openTestService({ dataDir })
  const token = await account('ann@example.org')
  const create = async (name: string) => {
    const body = { name, software: { id: 'demo', version: '1.20.4' }, memoryMb: 512 }
    return String((await call('POST /servers', { token, body })).body.id)
  }
  const [id, other] = [await create('one'), await create('two')]
  await service.close()
  giveAway(dataDir)
  return { dataDir, token, id, other, at: (...parts: string[]) => path.join(dataDir, ...parts) }
}

/** Starts the service as a program of the ordinary user. */
async function start(dataDir: string) {
  const args = [serviceProgram, '--data', dataDir, '--port', '0']
  const child = spawn(process.execPath, args, { ...ordinaryUser, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const address = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line)
      if (line.startsWith('Service: ')) resolve(line.slice('Service: '.length))
    })
    child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${errors}`)))
  })
  address.catch(() => undefined)
  const baseUrl = await address
  return {
    lines,
    async ask(route: string, token: string) {
      const [method = '', target = ''] = route.split(' ')
      const answer = await fetch(baseUrl + target, { method, headers: { Authorization: `Bearer ${token}` } })
      return { status: answer.status, body: answer.status === 204 ? null : await answer.json() }
    },
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** Something that the ordinary user can neither look into nor remove. */
function lock(folder: string): void {
  mkdirSync(path.join(folder, 'within'), { recursive: true })
  writeFileSync(path.join(folder, 'within', 'file'), 'x')
  chownSync(folder, 0, 0)
  chmodSync(folder, 0o700)
}

describe.runIf(isRoot)('files of another user in a server that is deleted', () => {
  test('keep no service from starting; who deleted it is told where they are, and so is who starts the service', async () => {
    const { dataDir, token, id, other, at } = await withServers()
    mkdirSync(at('servers', id, 'world/region'), { recursive: true })
    writeFileSync(at('servers', id, 'world/region/r.0.0.mca'), 'x')
    writeFileSync(at('servers', id, 'notes.txt'), 'x')
    chownSync(at('servers', id, 'world'), 65534, 65534)

    const first = await start(dataDir)
    expect((await first.ask(`DELETE /servers/${id}?confirm=one`, token)).status).toBe(204)
    const notified = (await first.ask('GET /notifications/me', token)).body.items
    expect(notified).toMatchObject([
      { kind: 'leftovers', serverId: null, values: { server: 'one', folder: path.join('removed', id) } },
    ])
    expect(notified[0].body).toContain(path.join('removed', id))
    expect(readdirSync(at('removed', id), { recursive: true })).toEqual([
      'world',
      'world/region',
      'world/region/r.0.0.mca',
    ])
    await first.stop()

    const second = await start(dataDir)
    expect((await second.ask('GET /servers', token)).body.items).toMatchObject([{ id: other }])
    await expect
      .poll(() => second.lines.join('\n'))
      .toContain(`They are in these folders of ${dataDir}: removed/${id}.`)
    await second.stop()

    // Whoever may, gives them away: then they go at the next start.
    giveAway(at('removed'))
    const third = await start(dataDir)
    expect(existsSync(at('removed', id))).toBe(false)
    await third.stop()
    expect(third.lines.join('\n')).not.toContain('could not be deleted')
  })

  test('whatever of one server or of an earlier run cannot be read or removed, the service starts and shows all servers', async () => {
    const { dataDir, token, id, other, at } = await withServers()
    const [gone, moved] = ['01234567-89ab-cdef-0123-456789abcdef', '11111111-89ab-cdef-0123-456789abcdef']
    const locked = [
      ...['staging', 'trash', 'copies', 'console'].map((kind) => at(kind, id)),
      ...['tmp-left', 'install-left'].map((name) => at('staging', other, name)),
      ...['removed', 'console', 'staging'].map((kind) => at(kind, gone)),
      ...[
        at('removed', `${gone}.trash`),
        at('imports', moved),
        at('run', `${gone}.json`),
        at('run', '%.json'),
      ],
      ...[at('outbox/waiting'), at('software/java/.new-left'), at('crashes', `${id}.json`)],
    ]
    for (const folder of ['copies', 'removed']) {
      mkdirSync(at(folder), { recursive: true })
      chownSync(at(folder), 65534, 65534)
    }
    for (const folder of locked) lock(folder)
    const service = await start(dataDir)
    const servers = (await service.ask('GET /servers', token)).body.items
    expect(servers.map((server: { id: string }) => server.id).sort()).toEqual([id, other].sort())
    expect((await service.ask(`GET /servers/files/${other}`, token)).status).toBe(200)
    await service.stop()
  })
})

test.runIf(process.platform === 'linux')(
  'a server with a read-only folder and with a nest that is deeper than a path can be is deleted, also where that was cut off',
  async () => {
    const { dataDir, token, id, other, at } = await withServers()
    for (const one of [id, other]) {
      mkdirSync(at('servers', one, 'plugins/x'), { recursive: true })
      writeFileSync(at('servers', one, 'plugins/x/f'), 'hi')
      giveAway(at('servers', one))
      makeNest(at('servers', one), 600, 'long-name', giveOne)
      chmodSync(at('servers', one, 'plugins/x'), 0o555)
    }
    const first = await start(dataDir)
    expect((await first.ask(`DELETE /servers/${id}?confirm=one`, token)).status).toBe(204)
    expect(readdirSync(at('removed'))).toEqual([])
    expect((await first.ask('GET /notifications/me', token)).body.items).toEqual([])
    await first.stop()
    // Its deletion had begun when the service ended.
    renameSync(at('servers', other), at('removed', other))
    const second = await start(dataDir)
    expect((await second.ask('GET /servers', token)).body.items).toEqual([])
    expect(readdirSync(at('removed'))).toEqual([])
    await second.stop()
  },
)
