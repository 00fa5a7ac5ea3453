import { open, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { classFile, pluginJar } from '../../../tests/fixtures/extension-jar.ts'
import { temporaryFolder } from '../../service/service.fixture.ts'
import { readJar } from './read-jar.ts'

/** The Java of each of a jar's descriptions, by their formats. */
async function javaIn(bytes: Buffer) {
  const file = path.join(await temporaryFolder(), 'one.jar')
  await writeFile(file, bytes)
  await using handle = await open(file)
  const { facts } = await readJar(handle.fd, bytes.length)
  return Object.fromEntries((facts ?? []).map(({ format, java }) => [format, java]))
}

type Entries = Record<string, string | Buffer>

async function jarOf(entries: Entries, compress = true): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(entries))
    zip.addBuffer(Buffer.from(content), name, { compress })
  zip.end()
  return buffer(zip.outputStream)
}

/** Classes of a library, made for a version of Java. */
const library = (count: number, java: number): Entries =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `lib${java}/C${at}.class`,
      classFile(`lib${java}/C${at}`, java),
    ]),
  )

const PLUGIN = { 'plugin.yml': 'name: Shop\nversion: 1\nmain: shop.Main\n' }

it.each(['bukkit', 'paper', 'velocity', 'fabric', 'neoforge'] as const)(
  'the Java of a jar for %s is the one its first class was made for',
  async (form) => {
    const jar = await pluginJar({ name: 'Shop', version: '1', form, java: 21 })
    expect(await javaIn(jar)).toEqual({ [form]: 21 })
  },
)

it('libraries inside, classes for newer Javas alone and descriptions of modules do not count', async () => {
  const entries = {
    ...PLUGIN,
    'shop/Main.class': classFile('shop.Main', 17),
    'META-INF/versions/25/shop/Main.class': classFile('shop.Main', 25),
    'module-info.class': classFile('module-info', 25),
    ...library(30, 22),
  }
  expect(await javaIn(await jarOf(entries))).toEqual({ bukkit: 17 })
  expect(await javaIn(await jarOf(entries, false))).toEqual({ bukkit: 17 })
})

it('each format of a jar has a Java of its own, and a class is named in several ways', async () => {
  const entrypoints = {
    main: ['a.Fabric::init'],
    server: [{ adapter: 'kotlin', value: 'a.Server' }],
    client: ['a.Client'],
  }
  const quilt = { id: 'q', version: '1', entrypoints: { init: 'a.Quilt' } }
  const jar = await jarOf({
    'plugin.yml': 'name: A\nmain: a.Bukkit',
    'paper-plugin.yml': 'name: A\nmain: a.Bukkit\nbootstrapper: a.Boot',
    'fabric.mod.json': JSON.stringify({ id: 'a', version: '1', entrypoints }),
    'quilt.mod.json': JSON.stringify({ quilt_loader: quilt }),
    'a/Bukkit.class': classFile('a.Bukkit', 11),
    'a/Boot.class': classFile('a.Boot', 21),
    'a/Fabric.class': classFile('a.Fabric', 16),
    'a/Server.class': classFile('a.Server', 18),
    'a/Client.class': classFile('a.Client', 25),
    'a/Quilt.class': classFile('a.Quilt', 20),
  })
  expect(await javaIn(jar)).toEqual({ bukkit: 11, paper: 21, fabric: 18, quilt: 20 })
})

it('where no first class is named or there, it is what most classes were made for', async () => {
  const mods = { 'META-INF/neoforge.mods.toml': '[[mods]]\nmodId="a"\nversion="1"\n' }
  expect(
    await javaIn(await jarOf({ ...mods, ...library(40, 21), ...library(20, 8), ...library(3, 25) })),
  ).toEqual({
    neoforge: 21,
  })
  // More than are looked into: some from everywhere among them.
  expect(await javaIn(await jarOf({ ...mods, ...library(400, 8), ...library(600, 17) }))).toEqual({
    neoforge: 17,
  })
  expect(await javaIn(await jarOf({ ...PLUGIN, ...library(3, 17) }))).toEqual({ bukkit: 17 })
})

it('of a jar without classes, or with what is none, nobody knows it', async () => {
  expect(await javaIn(await jarOf(PLUGIN))).toEqual({ bukkit: null })
  expect(await javaIn(await jarOf({ ...PLUGIN, 'shop/Main.class': 'no class' }))).toEqual({ bukkit: null })
  const whole = await jarOf({ ...PLUGIN, 'shop/Main.class': classFile('shop.Main', 17) })
  // What is compressed is overwritten: the description says what it is all the same.
  const name = whole.indexOf('shop/Main.class')
  const broken = Buffer.from(whole).fill(0xff, name + 15, name + 25)
  expect(await javaIn(broken)).toEqual({ bukkit: null })
})
