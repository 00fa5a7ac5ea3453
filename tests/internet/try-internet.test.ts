import { execFile } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { at, node24, nodeFlags } from '../../build/scripts/project.js'
import { buildStale } from '../../build/scripts/stale.js'
import { offerFill, offerVanilla } from '../doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../doubles/catalogs/catalog-server.ts'
import { javaServerJar } from '../doubles/java-server.ts'
import { joinAndLeave } from './player.ts'

/** Catalogs that stand on this computer. The program behind them speaks no Minecraft to players. */
async function settingsOf(catalogs: CatalogServer): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'wheelhouse-internet-'))
  const file = path.join(folder, 'catalogs.json')
  await writeFile(file, JSON.stringify(catalogs.settings))
  return file
}

it('a player joins where a server speaks Minecraft, and is not said to have joined where none does', async () => {
  await buildStale()
  const catalogs = await CatalogServer.start()
  try {
    const jar = await readFile(await javaServerJar({ kind: 'paper', version: '1.20.4', build: '499' }))
    offerFill(catalogs, 'paper', [{ id: '1.20.4', java: 17, builds: [{ id: 499, jar }] }])
    // `demo` is a real server, though a small one.
    const { code, said } = await run(['--catalogs', await settingsOf(catalogs), '--only', 'demo,paper'])
    expect(said).toMatch(/^demo +1\.[\d.]+ .* joined +yes$/m)
    expect(said).toMatch(/^paper +1\.20\.4 .* no +yes +The player/m)
    expect(said).toMatch(/^2 tried, 1 ran$/m)
    expect(code).toBe(1)
  } finally {
    await catalogs.stop()
  }
}, 240_000)

it('what is tried with the internet creates, starts and stops each kind, and tells what could not be had', async () => {
  await buildStale()
  const catalogs = await CatalogServer.start()
  try {
    const jar = await readFile(await javaServerJar({ kind: 'vanilla', version: '1.20.4', build: '499' }))
    offerVanilla(catalogs, [{ id: '1.20.4', java: 17, jar }])
    const settings = await settingsOf(catalogs)
    const args = ['--catalogs', settings, '--only', 'vanilla,fabric', '--without-player']
    const { code, said } = await run(args)
    expect(said).toMatch(/^vanilla +1\.20\.4 +was here +[\d.]+ s +[\d.]+ s +not tried +yes$/m)
    expect(said).toMatch(/^fabric .*no +\S.* 50\d /m)
    expect(said).toMatch(/^2 tried, 1 ran$/m)
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

it('a version of the game that no player speaks is not joined', async () => {
  await expect(joinAndLeave(9, '99.9')).rejects.toThrow('There is no player that speaks 99.9.')
})
