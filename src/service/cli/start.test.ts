import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { request as httpsRequest } from 'node:https'
import { Agent, get } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { generate } from 'selfsigned'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serviceProgram } from '../service-program.fixture.ts'
import { gamePorts } from '../../../tests/fixtures/game-ports.ts'
import { PASSWORD, startTestService, temporaryFolder } from '../service.fixture.ts'

interface Program {
  child: ChildProcess
  /** Everything on stdout up to the line that says where it listens; rejects where it ends before. */
  listening: Promise<string>
  /** Resolves when it has ended. */
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>
}

/** Starts the service as the program it is. It is killed after the test. */
function run(args: string[], stdin = ''): Program {
  const child = spawn(process.execPath, [serviceProgram, ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  onTestFinished(() => void child.kill('SIGKILL'))
  const listening = Promise.withResolvers<string>()
  listening.promise.catch(() => {})
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk
    const address = /^Service: (.*)$/m.exec(stdout)?.[1]
    if (address) listening.resolve(address)
  })
  const errors = text(child.stderr)
  const ended = once(child, 'close').then(async ([code]) => {
    listening.reject(new Error(`it ended with ${code}: ${await errors}`))
    return { code: code as number | null, stdout, stderr: await errors }
  })
  return { child, listening: listening.promise, ended }
}

describe('the command line', () => {
  test('prints where it listens and where mail goes, and ends cleanly on SIGTERM, SIGINT and SIGHUP', async () => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      const data = await temporaryFolder()
      const program = run(['--data', data, '--port', '0'])
      const baseUrl = await program.listening
      expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/)
      expect((await fetch(`${baseUrl}/users/me`)).status).toBe(401)
      program.child.kill(signal)
      const { code, stdout, stderr } = await program.ended
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toBe(
        `Service: ${baseUrl}\nMail is not sent: it is written to ${path.join(data, 'outbox')}\n`,
      )
    }
  })

  test('ends although a connection is kept alive', async () => {
    const program = run(['--data', await temporaryFolder(), '--port', '0'])
    const baseUrl = await program.listening
    const agent = new Agent({ keepAlive: true, keepAliveMsecs: 60_000 })
    onTestFinished(() => agent.destroy())
    const [response] = await once(get(`${baseUrl}/openapi.json`, { agent }), 'response')
    await text(response)
    program.child.kill('SIGTERM')
    expect((await program.ended).code).toBe(0)
  })

  test('ends although an event stream is being read, and ends the stream', async () => {
    const data = await temporaryFolder()
    const { account, call, service } = await startTestService({ dataDir: data })
    const token = await account('ann@example.org')
    const { items } = (await call('GET /software', { token })).body
    const versions = (await call(`GET /software/${items[0].id}/versions`, { token })).body.items
    const software = { id: items[0].id, version: versions[0].id }
    const made = await call('POST /servers', { token, body: { name: 'Survival', software, memoryMb: 512 } })
    await service.close()

    const program = run(['--data', data, '--port', '0'])
    const baseUrl = await program.listening
    const stream = await fetch(`${baseUrl}/servers/events?servers=${made.body.id}`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    const read = stream.text()
    program.child.kill('SIGTERM')
    expect(await read).toContain('event: status')
    expect((await program.ended).code).toBe(0)
  })

  test('says by whom a port is taken', async () => {
    const blocker = createServer()
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void blocker.close())
    const { port } = blocker.address() as AddressInfo
    const { code, stdout, stderr } = await run(['--data', await temporaryFolder(), '--port', `${port}`]).ended
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(`Port ${port} on 127.0.0.1 is in use by process ${process.pid} (node`)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  test.each(['0', '65536', 'many'])('refuses %s as first port of game servers', async (port) => {
    const args = ['--data', await temporaryFolder(), '--port', '0', '--first-game-port', port]
    const { code, stderr } = await run(args).ended
    expect([code, stderr]).toEqual([1, expect.stringContaining('--first-game-port')])
  })

  test('says by whom a data folder is held, and takes it over once that one was killed', async () => {
    const data = await temporaryFolder()
    const first = run(['--data', data, '--port', '0'])
    await first.listening
    const second = await run(['--data', data, '--port', '0']).ended
    expect(second.code).toBe(1)
    expect(second.stderr).toContain(
      `${data} is in use by process ${first.child.pid} (node ${path.basename(serviceProgram)})`,
    )
    first.child.kill('SIGKILL')
    await first.ended
    const third = run(['--data', data, '--port', '0'])
    await third.listening
    expect(JSON.parse(await readFile(path.join(data, 'service.holder.json'), 'utf8')).pid).toBe(
      third.child.pid,
    )
  })

  test('says through which server mail is sent, and refuses a password that every user could read', async () => {
    const smtp = ['--smtp', 'smtp://127.0.0.1:9', '--mail-from', 'panel@example.org']
    const data = await temporaryFolder()
    const program = run(['--data', data, '--port', '0', ...smtp])
    await program.listening
    program.child.kill('SIGTERM')
    const sentence = `Mail is sent through 127.0.0.1:9; what could not be sent is in ${path.join(data, 'outbox', 'failed')}`
    expect((await program.ended).stdout).toContain(sentence)
    const refused = run(['--data', data, '--smtp', 'smtp://ann:secret@127.0.0.1:9'])
    const { code, stderr } = await refused.ended
    expect(code).toBe(1)
    expect(stderr).toMatch(/^Every user of this computer can read a password in the command line\..*\n$/)
  })

  test('says which folder it cannot use', async () => {
    const folder = path.join(await temporaryFolder(), 'file')
    await writeFile(folder, '')
    const { code, stderr } = await run(['--data', path.join(folder, 'inside'), '--port', '0']).ended
    expect(code).toBe(1)
    expect(stderr).toMatch(/^The data folder .*inside cannot be used: a part of its path is a file\./)
    const file = await run(['--data', folder, '--port', '0']).ended
    expect([file.code, file.stderr]).toEqual([1, expect.stringContaining('a part of its path is a file')])
  })

  test('refuses to listen beyond this computer without TLS', async () => {
    const { code, stderr } = await run([
      '--data',
      await temporaryFolder(),
      '--port',
      '0',
      '--host',
      '0.0.0.0',
    ]).ended
    expect(code).toBe(1)
    expect(stderr).toContain('--tls-cert')
  })

  test('makes the first account from a password on stdin', async () => {
    const data = await temporaryFolder()
    const made = await run(['--data', data, '--create-account', 'ann@example.org'], `${PASSWORD}\n`).ended
    expect([made.code, made.stderr]).toEqual([0, ''])
    expect(made.stdout).not.toContain(PASSWORD)
    const { call } = await startTestService({ dataDir: data, allowRegistration: false })
    const body = { email: 'ann@example.org', password: PASSWORD }
    const { status, body: answer } = await call('POST /auth/login', { body })
    expect(status).toBe(200)
    // The service is theirs.
    expect((await call('GET /nodes', { token: answer.token })).status).toBe(200)
  })

  test('refuses a first account with a short password', async () => {
    const made = await run(
      ['--data', await temporaryFolder(), '--create-account', 'ann@example.org'],
      'short',
    ).ended
    expect([made.code, made.stderr]).toEqual([1, 'Use at least 10 characters.\n'])
  })
})

describe('started by a parent', () => {
  const secret = 'a secret of more than twenty characters'

  async function forked(data: string, ...more: string[]) {
    const child = fork(serviceProgram, ['--parent', '--data', data, '--port', '0', ...more], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const output = Promise.all([text(child.stdout!), text(child.stderr!)])
    child.send({ type: 'local-secret', secret })
    const [message] = (await once(child, 'message')) as [{ type: string; baseUrl: string; message: string }]
    return { child, message, output }
  }

  test('answers over the channel, signs the local owner in and prints no secret', async () => {
    const { child, message, output } = await forked(await temporaryFolder())
    expect(message.type).toBe('ready')
    const response = await fetch(`${message.baseUrl}/auth/local`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ secret }),
    })
    const { token, user } = (await response.json()) as { token: string; user: { id: string } }
    expect(user.id).toBe('local')
    const ended = once(child, 'exit')
    child.send({ type: 'stop' })
    expect(await ended).toEqual([0, null])
    for (const text of await output) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(token)
    }
  })

  test('starts the servers again that ran where the parent wants that, once, and none that a person stopped', async () => {
    const data = await temporaryFolder()
    const service = async () => {
      const { child, message } = await forked(data, '--first-game-port', String(gamePorts()))
      const ask = async (route: string, token: string, body?: object) => {
        const [method = '', target = ''] = route.split(' ')
        const headers = {
          'Content-Type': 'application/json',
          ...(token && { Authorization: `Bearer ${token}` }),
        }
        const sent = body && { body: JSON.stringify(body) }
        return (await (await fetch(message.baseUrl + target, { method, headers, ...sent })).json()) as never
      }
      const { token } = (await ask('POST /auth/local', '', { secret })) as { token: string }
      const status = async (id: string) =>
        ((await ask(`GET /servers/status/${id}`, token)) as { status: string }).status
      return {
        create: async (name: string) => {
          const software = { id: 'demo', version: '1.20.4' }
          return ((await ask('POST /servers', token, { name, software, memoryMb: 512 })) as { id: string }).id
        },
        power: (id: string, action: string) => ask(`POST /servers/power/${id}`, token, { action }),
        reaches: (id: string, wanted: string) =>
          expect.poll(() => status(id), { timeout: 20_000 }).toBe(wanted),
        async stop(startAgain: boolean) {
          const ended = once(child, 'exit')
          child.send({ type: 'stop', ...(startAgain && { startAgain }) })
          expect(await ended).toEqual([0, null])
        },
      }
    }
    const before = await service()
    const runs = await before.create('Runs')
    const stopped = await before.create('Stopped')
    for (const id of [runs, stopped]) {
      await before.power(id, 'start')
      await before.reaches(id, 'online')
    }
    await before.power(stopped, 'stop')
    await before.reaches(stopped, 'offline')
    await before.stop(true)
    const after = await service()
    await after.reaches(runs, 'online')
    await after.reaches(stopped, 'offline')
    await after.stop(false)
    const later = await service()
    await later.reaches(runs, 'offline')
    await later.stop(false)
  })

  test('ends when the parent is gone', async () => {
    const { child } = await forked(await temporaryFolder())
    const ended = once(child, 'exit')
    child.disconnect()
    expect(await ended).toEqual([0, null])
  })

  test('tells the parent why it cannot start', async () => {
    const data = await temporaryFolder()
    await startTestService({ dataDir: data })
    const { child, message } = await forked(data)
    expect(message).toMatchObject({ type: 'failed', code: 'folder-held' })
    const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode]
    expect(code).toBe(1)
  })

  test('says so where there is no channel', async () => {
    const { code, stderr } = await run(['--parent', '--data', await temporaryFolder()]).ended
    expect([code, stderr]).toEqual([1, expect.stringContaining('--parent')])
  })
})

describe('the data folder', () => {
  test('is for this user alone when the service makes it, and a folder that holds other things keeps its mode', async () => {
    const made = path.join(await temporaryFolder(), 'a', 'b')
    await startTestService({ dataDir: made })
    expect((await stat(made)).mode & 0o777).toBe(0o700)
    for (const file of ['service.db', 'service.lock', 'service.holder.json', 'logs/service.log']) {
      // The log is written behind what it tells of.
      const mode = () => stat(path.join(made, file)).then((found) => found.mode & 0o777)
      await expect.poll(mode, { message: file }).toBe(0o600)
    }
    const home = path.join(await temporaryFolder(), 'home')
    await mkdir(home)
    await chmod(home, 0o755)
    await writeFile(path.join(home, 'letter.txt'), '')
    await startTestService({ dataDir: home })
    expect((await stat(home)).mode & 0o777).toBe(0o755)
  })
})

describe('TLS', () => {
  test('serves beyond loopback with a certificate', async () => {
    const folder = await temporaryFolder()
    const tls = { certFile: path.join(folder, 'cert.pem'), keyFile: path.join(folder, 'key.pem') }
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
    })
    await writeFile(tls.certFile, cert)
    await writeFile(tls.keyFile, key)
    const { baseUrl } = await startTestService({ host: '0.0.0.0', tls })
    const port = Number(/^https:\/\/0\.0\.0\.0:(\d+)\/api\/v1$/.exec(baseUrl)?.[1])
    const request = httpsRequest({ host: '127.0.0.1', port, path: '/api/v1/users/me', ca: cert })
    request.end()
    const [response] = await once(request, 'response')
    expect(response.statusCode).toBe(401)
    await text(response)
  })

  test('says which certificate it cannot use', async () => {
    const folder = await temporaryFolder()
    const file = path.join(folder, 'cert.pem')
    await writeFile(file, 'no certificate')
    const tls = { certFile: file, keyFile: path.join(folder, 'missing.pem') }
    await expect(startTestService({ tls })).rejects.toThrow(/missing\.pem cannot be used/)
    await expect(startTestService({ tls: { ...tls, keyFile: file } })).rejects.toThrow(/cert\.pem/)
  })
})
