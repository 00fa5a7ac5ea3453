import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { classFile } from '../../../tests/fixtures/extension-jar.ts'
import { zipOf } from '../../../tests/fixtures/moved-server.ts'
import { openTestFiles } from '../files/files.fixture.ts'
import { loadsAs } from './custom-jar.ts'
import { readServerJar } from './server-jar.ts'

/** As what a jar with this main class loads plugins or mods. */
async function loaded(mainClass: string, more: Record<string, string> = {}) {
  const { files, root } = await openTestFiles()
  const entries = {
    'META-INF/MANIFEST.MF': `Manifest-Version: 1.0\r\nMain-Class: ${mainClass}\r\n`,
    [`${mainClass.replaceAll('.', '/')}.class`]: classFile(mainClass, 17),
    ...more,
  }
  await writeFile(path.join(root, 'server.jar'), await zipOf(entries))
  return loadsAs(await readServerJar(files, 'server.jar'))
}

/** What Paper and its relatives say of the jar within. */
const within = (kind: string) => ({ 'META-INF/versions.list': `0\t1.21.4\t1.21.4/${kind}-1.21.4.jar\n` })

it.each([
  ['Paper', 'io.papermc.paperclip.Main', within('paper'), 'paper'],
  ['Purpur', 'io.papermc.paperclip.Main', within('purpur'), 'purpur'],
  ['Folia', 'io.papermc.paperclip.Main', within('folia'), 'folia'],
  ['a relative of Paper that nobody knows', 'io.papermc.paperclip.Main', within('leaf'), 'paper'],
  ['an old Paper', 'com.destroystokyo.paperclip.Paperclip', {}, 'paper'],
  ['Spigot', 'org.bukkit.craftbukkit.bootstrap.Main', within('spigot'), 'spigot'],
  ['CraftBukkit', 'org.bukkit.craftbukkit.bootstrap.Main', within('craftbukkit'), 'spigot'],
  [
    'Fabric',
    'net.fabricmc.installer.ServerLauncher',
    { 'install.properties': 'game-version=1.21.4\n' },
    'fabric',
  ],
  ['Quilt', 'org.quiltmc.loader.impl.launch.server.QuiltServerLauncher', {}, 'quilt'],
  ['Forge', 'net.minecraftforge.bootstrap.shim.Main', {}, 'forge'],
  ['NeoForge', 'net.neoforged.serverstarterjar.Main', {}, 'neoforge'],
  ['Velocity', 'com.velocitypowered.proxy.Velocity', {}, 'velocity'],
  ['BungeeCord', 'net.md_5.bungee.Bootstrap', {}, 'bungeecord'],
  ["Minecraft's own server", 'net.minecraft.bundler.Main', within('server'), 'vanilla'],
  ['what nobody knows', 'com.example.Main', {}, null],
])('a jar of %s is recognized by what it contains', async (_, mainClass, more, expected) => {
  expect(await loaded(mainClass, more as Record<string, string>)).toBe(expected)
})
