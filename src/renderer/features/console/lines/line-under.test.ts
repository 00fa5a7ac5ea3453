import { describe, expect, it } from 'vitest'
import { playerAt } from './line-under.ts'

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
    ['[12:34:56 INFO]: Yoooo+ joined the game', 'Yoooo+'],
    ['[12:34:56 INFO]: .The Guy 123 joined the game', '.The Guy 123'],
    ['[12:34:56 INFO]: Newname (formerly known as Oldname) joined the game', 'Newname'],
    ['[12:34:56 INFO]: Newname (formerly known as Oldname) joined the game', 'Oldname'],
    ['[12:34:56 INFO]: Disconnecting Kicked99 (/198.51.100.5:4242): Too loud', 'Kicked99'],
    ['[12:34:56 INFO]: my-name issued server command: /tell Alex hi', 'Alex'],
    ['[12:34:56 INFO]: There are 2 of a max of 20 players online: Alex, my-name', 'my-name'],
    ['12:34:57 PM >....[12:34:56 INFO]: Alex joined the game', 'Alex'],
    ['2013-01-31 12:34:56 [INFO] Alex joined the game', 'Alex'],
    ['[11Feb2026 05:35:14.246] [Server thread/INFO] [net.minecraft/]: Alex drowned', 'Alex'],
  ])('is found in %s', (line, name) => {
    expect(named(line, name)).toBe(name)
    expect(playerAt(line, 2)).toBe(null)
  })

  it.each([
    ['[12:34:56 INFO]: <Alex> I saw Eve', 'Eve'],
    ['[12:34:56 INFO]: Eve: Steve joined the game', 'Steve'],
    ['[12:34:56 INFO]: Starting minecraft server version 1.21', 'Starting'],
    ['at net.minecraft.Thing (Thing.java:5)', 'Thing'],
    ['[12:34:56 INFO]: Done (3.2s)! For help, type "help"', 'Done'],
  ])('is none in %s at %s', (line, part) => expect(named(line, part)).toBe(null))
})
