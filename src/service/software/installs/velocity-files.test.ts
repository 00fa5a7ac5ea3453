import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { expect, test } from 'vitest'
import { openTestFiles } from '../../files/files.fixture.ts'
import { writeVelocity } from './velocity-files.ts'

const AT = { host: '127.0.0.1', port: 25570 }

async function someProxy(settings?: string | Buffer) {
  const { files, root } = await openTestFiles()
  const at = (name: string) => join(root, name)
  if (settings !== undefined) writeFileSync(at('velocity.toml'), settings)
  return { files, at, settings: () => readFileSync(at('velocity.toml'), 'latin1') }
}

async function changed(before: string): Promise<string> {
  const { files, settings } = await someProxy(before)
  await writeVelocity(files, AT)
  return settings()
}

test('a new proxy is given settings without the examples of Velocity, and a secret that nobody else may read', async () => {
  const { files, at, settings } = await someProxy()
  await writeVelocity(files, AT)
  expect(parse(settings())).toMatchObject({
    bind: '127.0.0.1:25570',
    'online-mode': true,
    'forwarding-secret-file': 'forwarding.secret',
    servers: { try: [] },
    'forced-hosts': {},
  })
  const secret = readFileSync(at('forwarding.secret'), 'utf8')
  expect(secret).toMatch(/^[\w-]{24}$/)
  expect(statSync(at('forwarding.secret')).mode & 0o077).toBe(0)

  await writeVelocity(files, { ...AT, port: 25571 })
  expect(parse(settings())['bind']).toBe('127.0.0.1:25571')
  expect(readFileSync(at('forwarding.secret'), 'utf8')).toBe(secret)
})

test('the address is changed where it stands; comments, order, line ends and every other byte stay', async () => {
  const before = [
    '# bind = "1.2.3.4:1"',
    'motd = "Käse – §a"',
    "bind   =  '0.0.0.0:25577' # mine",
    'online-mode = false',
    '',
    '[servers]',
    'bind = "127.0.0.1:30066"',
    'try = [ "bind" ]',
    '[advanced] # kept',
  ].join('\r\n')
  const bytes = Buffer.from(before).toString('latin1')
  expect(await changed(before)).toBe(bytes.replace("'0.0.0.0:25577'", '"127.0.0.1:25570"'))
})

test('settings without an address are given one, outside of every table', async () => {
  const before = 'motd = """\nbind = "no"\n[servers]\n"""\n[servers]\ntry = []\n'
  const after = await changed(before)
  expect(after).toBe(`bind = "127.0.0.1:25570"\n${before}`)
  expect(parse(after)).toMatchObject({ motd: 'bind = "no"\n[servers]\n' })
})

test('an address of the other family stands in brackets', async () => {
  const { files, settings } = await someProxy('bind = "x:1"\n')
  await writeVelocity(files, { host: '::1', port: 7 })
  expect(settings()).toBe('bind = "[::1]:7"\n')
})

test('what is as it should be is not written again', async () => {
  const before = "bind='127.0.0.1:25570'"
  expect(await changed(before)).toBe(before)
})

test.each([
  ['is no TOML', 'bind = "a:1\nmotd = 3'],
  ['has its address in a form that is not changed', 'bind = """a:1"""\n'],
  ['has something that only looks like it', 'motd = """\nbind = "a:1"\n"""\nbind = """\na:1"""\n'],
])('settings in which nothing can be set are left alone, and somebody is told: it %s', async (_, before) => {
  const { files, settings } = await someProxy(before)
  await expect(writeVelocity(files, AT)).rejects.toMatchObject({
    ...{ status: 409, code: 'software.settings-damaged' },
    message: expect.stringContaining('velocity.toml'),
  })
  expect(settings()).toBe(before)
})
