import { describe, expect, it } from 'vitest'
import { playerAt } from './named-player.ts'

const named = (line: string, part: string) => playerAt(line, line.indexOf(part) + 1)

describe('a name in a line of the console', () => {
  it.each([
    ['[12:34:56 INFO]: Alex joined the game', 'Alex'],
    ['[12:34:56] [Server thread/INFO]: .Rock_1 left the game', '.Rock_1'],
    ['[12:34:56 INFO]: <Alex> I saw Eve', 'Alex'],
    ['[12:34:56 INFO]: [Not Secure] <Alex> hi', 'Alex'],
    ['[12:34:56 INFO]: Alex[/127.0.0.1:50] logged in with entity id 5', 'Alex'],
    ['[12:34:56 INFO]: UUID of player Alex is 069a79f4-44e9-4726-a5be-fca90e38aaf5', 'Alex'],
    ['[12:34:56 INFO]: Kicked Alex: too loud', 'Alex'],
    ['[12:34:56 INFO]: Made Alex no longer a server operator', 'Alex'],
    ['[12:34:56 INFO]: Alex was slain by Zombie', 'Alex'],
    ['[11Feb2026 05:35:14.246] [Server thread/INFO] [net.minecraft/]: Alex drowned', 'Alex'],
  ])('is found in %s', (line, name) => {
    expect(named(line, name)).toBe(name)
    expect(playerAt(line, 2)).toBe(null)
  })

  it.each([
    ['[12:34:56 INFO]: <Alex> I saw Eve', 'Eve'],
    ['[12:34:56 INFO]: Starting minecraft server version 1.21', 'Starting'],
    ['at net.minecraft.Thing (Thing.java:5)', 'Thing'],
    ['[12:34:56 INFO]: Done (3.2s)! For help, type "help"', 'Done'],
  ])('is none in %s at %s', (line, part) => expect(named(line, part)).toBe(null))
})
