import { execFile } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { at, node24, nodeFlags } from '../../build/scripts/project.js'
import { buildStale } from '../../build/scripts/stale.js'
import { offerFill, offerVanilla } from '../fixtures/catalogue-answers.ts'
import { CatalogueServer } from '../fixtures/catalogue-server.ts'
import { javaServerJar } from '../fixtures/java-server.ts'

// The catalogs stand on this computer, and no player joins: the program behind them speaks no Minecraft to players.
it('what is tried with the internet creates, starts and stops each kind, and tells what could not be had', async () => {
  await buildStale()
  const catalogs = await CatalogueServer.start()
  try {
    const jar = async (kind: 'paper' | 'vanilla') =>
      readFile(await javaServerJar({ kind, version: '1.20.4', build: '499' }))
    offerFill(catalogs, 'paper', [{ id: '1.20.4', java: 17, builds: [{ id: 499, jar: await jar('paper') }] }])
    offerVanilla(catalogs, [{ id: '1.20.4', java: 17, jar: await jar('vanilla') }])
    const folder = await mkdtemp(path.join(tmpdir(), 'wheelhouse-internet-'))
    const file = path.join(folder, 'catalogs.json')
    await writeFile(file, JSON.stringify(catalogs.settings))
    const args = ['--catalogs', file, '--only', 'paper,vanilla,fabric', '--without-player']
    const { code, said } = await run(args)
    expect(said).toMatch(/^paper +1\.20\.4 +was here +[\d.]+ s +[\d.]+ s +not tried +yes$/m)
    expect(said).toMatch(/^vanilla +1\.20\.4 +was here +[\d.]+ s +[\d.]+ s +not tried +yes$/m)
    expect(said).toMatch(/^fabric .*no +\S.* 50\d /m)
    expect(said).toMatch(/^3 tried, 2 ran$/m)
    expect(code).toBe(1)
  } finally {
    await catalogs.stop()
  }
}, 120_000)

const run = (args: string[]) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    const program = [...nodeFlags, at('tests/internet/main.ts'), ...args]
    execFile(node24(), program, (error, said) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said }),
    )
  })
