import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { problem } from '../base/problem.ts'
import { LogFile } from '../../host/logging/log-file.ts'
import { logId } from './to-problem.ts'
import { type LogOptions, openLog } from './open-log.ts'

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'log-'))
  folders.push(made)
  return made
}

/** Logs something and answers what stands in the file. */
async function written(say: (log: ReturnType<typeof openLog>) => void, options: Partial<LogOptions> = {}) {
  const log = openLog({ folder: join(await folder(), 'logs'), ...options })
  say(log)
  await log.close()
  return readFile(log.path, 'utf8')
}

const token = 'wh_9f8"e7\\d6+c5/b4=='

describe('a token never reaches the file', () => {
  test.each<[string, (log: ReturnType<typeof openLog>) => void]>([
    ['in a message', (log) => log.info(`got ${token} from it`)],
    [
      'in the message of an error',
      (log) => log.error('failed', { err: new Error(`header ${token} is not valid`) }),
    ],
    [
      'in the cause of an error',
      (log) => log.error('failed', { err: new Error('a', { cause: new TypeError(`x ${token}`) }) }),
    ],
    [
      'in a problem',
      (log) =>
        log.warn('x', { err: problem('invalid', { message: `no ${token}` }, { fields: { a: [token] } }) }),
    ],
    ['deep in fields', (log) => log.info('x', { a: { b: [{ c: `pre${token}post` }] } })],
    ['as a key', (log) => log.info('x', { [token]: 1 })],
    ['in an address', (log) => log.info(`https://h/x/${encodeURIComponent(token)}`)],
    ['in Basic credentials', (log) => log.info(Buffer.from(token).toString('base64'))],
    ['in JSON within a string', (log) => log.info(JSON.stringify({ it: token }))],
    ['in a child log', (log) => log.child({ about: token }).info(token)],
    [
      'in Headers and Maps',
      (log) => log.info('x', { h: new Headers({ 'x-a': token }), m: new Map([['a', token]]) }),
    ],
  ])('%s', async (_where, say) => {
    const text = await written((log) => {
      log.hide(token)
      say(log)
    })
    expect(text.split('\n').length).toBeGreaterThan(1)
    for (const line of text.trim().split('\n')) JSON.parse(line)
    expect(text).toContain('[redacted]')
    expect(text).not.toContain('9f8')
    expect(text).not.toContain(Buffer.from(token).toString('base64').slice(0, 12))
  })
})

describe('what nobody has named as a secret', () => {
  test('is left out under the name of one', async () => {
    const text = await written((log) =>
      log.info('x', {
        headers: {
          Authorization: 'Custom abcdefghij1',
          'proxy-authorization': 'abcdefghij2',
          cookie: 'abcdefghij3',
        },
        body: {
          password: 'abcdefghij4',
          currentPassword: 'abcdefghij5',
          code: '123456',
          newPassword: 'abcdefghij6',
        },
        session: { token: 'abcdefghij7', access_token: 'abcdefghij8', clientSecret: 'abcdefghij9' },
      }),
    )
    expect(text).not.toContain('abcdefghij')
    expect(text).not.toContain('123456')
  })

  test('is left out behind “Bearer”, and with it the queries of addresses', async () => {
    const text = await written((log) => {
      log.info('sent authorization: Bearer abc.def-ghi_jkl to it')
      log.info('callback http://127.0.0.1:4711/callback?code=4/0AXfoo&state=barbar came')
      log.info('panel at http://127.0.0.1:4711/?code=oneTimeCode1')
      log.info('to https://ann:hunter22@example.com/x')
      log.info('fragment https://example.com/x#access_token=oneTimeCode2')
      log.info('url', { at: new URL('https://example.com/p?code=oneTimeCode3') })
    })
    for (const secret of ['abc.def', '0AXfoo', 'barbar', 'oneTimeCode', 'hunter22'])
      expect(text).not.toContain(secret)
    expect(text).toContain('http://127.0.0.1:4711/callback')
  })

  test('codes of errors and problems stay, for they are what one looks for', async () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    const text = await written((log) => {
      log.error('x', { err: refused })
      log.error('x', { err: problem('signed-out', { message: 'Gone.' }, { serviceCode: 'auth.expired' }) })
    })
    expect(text).toContain('"code":"ECONNREFUSED"')
    expect(text).toContain('"code":"signed-out"')
    expect(text).toContain('auth.expired')
  })
})

test('a value is shown again once nobody hides it', async () => {
  const text = await written((log) => {
    const one = log.hide('plain-value')
    const two = log.hide('plain-value')
    one()
    one()
    log.info('first plain-value')
    two()
    log.info('second plain-value')
  })
  expect(text).not.toContain('first plain-value')
  expect(text).toContain('second plain-value')
})

test('what cannot be shown as JSON does not stop the log', async () => {
  const round: Record<string, unknown> = {}
  round.self = round
  const text = await written((log) => {
    log.info('round', { round, big: 10n, bytes: new Uint8Array(3), nothing: undefined, fn: () => 1 })
    log.info('after')
  })
  expect(text).toContain('after')
})

describe('the file', () => {
  test('and its predecessor stay within their bound, and whole lines stay whole', async () => {
    const most = 20_000
    const log = new LogFile(join(await folder(), 'panel.log'), most)
    const entry = (i: number, more = '') => log.write(`${JSON.stringify({ msg: `entry ${i} ${more}` })}\n`)
    for (let i = 0; i < 2000; i++) entry(i, 'x'.repeat(i % 90))
    await log.flush()
    for (let i = 2000; i < 2100; i++) entry(i)
    await log.close()
    const names = (await readdir(join(log.path, '..'))).sort()
    expect(names).toEqual(['panel.log', 'panel.log.1'])
    const numbers: number[] = []
    for (const name of ['panel.log.1', 'panel.log']) {
      const path = join(log.path, '..', name)
      expect((await stat(path)).size).toBeLessThanOrEqual(most)
      for (const line of (await readFile(path, 'utf8')).trim().split('\n')) {
        numbers.push(Number(/entry (\d+)/.exec((JSON.parse(line) as { msg: string }).msg)?.[1]))
      }
    }
    expect(numbers.at(-1)).toBe(2099)
    numbers.forEach((number, i) => expect(number).toBe((numbers[0] as number) + i))
  })

  test.skipIf(process.platform === 'win32')('is readable by this user only', async () => {
    const log = openLog({ folder: join(await folder(), 'logs') })
    log.info('x')
    await log.close()
    expect((await stat(log.path)).mode & 0o777).toBe(0o600)
  })

  test('goes on where an earlier run ended', async () => {
    const at = await folder()
    for (const text of ['first', 'second']) {
      const log = openLog({ folder: at })
      log.info(text)
      await log.close()
    }
    const text = await readFile(join(at, 'panel.log'), 'utf8')
    expect(text.indexOf('first')).toBeLessThan(text.indexOf('second'))
  })

  test('that cannot be written stops nothing', async () => {
    const log = openLog({ folder: '/dev/null/nowhere' })
    log.info('x')
    await log.flush()
    log.info('y')
    await log.close()
  })

  test('gets the last words of a process that ends', async () => {
    const file = new LogFile(join(await folder(), 'panel.log'), 1000)
    file.write('last words\n')
    file.flushSync()
    expect(await readFile(file.path, 'utf8')).toBe('last words\n')
    await file.close()
    expect(await readFile(file.path, 'utf8')).toBe('last words\n')
  })
})

test('names for problems differ and can be read out', () => {
  const names = new Set(Array.from({ length: 500 }, logId))
  expect(names.size).toBe(500)
  for (const name of names) expect(name).toMatch(/^[a-z2-9]{8}$/)
})
