import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestFiles } from '../../files/files.fixture.ts'
import { proxiedServers } from './proxied-servers.ts'

async function addresses(software: string, name: string, text: string): Promise<string[]> {
  const { files, root } = await openTestFiles()
  writeFileSync(join(root, name), text)
  return proxiedServers(files, software)
}

test('the servers of Velocity are those of its table, each address once', async () => {
  const text =
    '[servers]\nlobby = "127.0.0.1:25566"\n"a b" = "10.0.0.1:1"\nagain = "127.0.0.1:25566"\ntry = ["lobby"]\n'
  expect(await addresses('velocity', 'velocity.toml', text)).toEqual(['127.0.0.1:25566', '10.0.0.1:1'])
})

test.each(['bungeecord', 'waterfall'])(
  'the servers of %s are those of its configuration',
  async (software) => {
    const text =
      'listeners:\n- host: 0.0.0.0:25577\nservers:\n  lobby:\n    motd: Hi\n    address: localhost:25566\n  odd: 7\n'
    expect(await addresses(software, 'config.yml', text)).toEqual(['localhost:25566'])
  },
)

test('a proxy without servers, with damaged settings or without any has none; nor has what is no proxy', async () => {
  for (const text of ['', 'servers = 1', '[servers', 'servers = [{}]', `# ${'x'.repeat(70_000)}`])
    expect(await addresses('velocity', 'velocity.toml', text)).toEqual([])
  expect(await addresses('waterfall', 'config.yml', 'servers: [}')).toEqual([])
  expect(await addresses('waterfall', 'velocity.toml', '[servers]\nlobby = "127.0.0.1:1"')).toEqual([])
  expect(await addresses('paper', 'config.yml', 'servers: {a: {address: "127.0.0.1:1"}}')).toEqual([])
})
