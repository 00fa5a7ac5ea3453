import mineflayer from 'mineflayer'

const { createBot, testedVersions } = mineflayer

/** How long a player may take to stand in the world, in milliseconds. */
const PATIENCE = 60_000

/** Whether a player of ours speaks a version of the game. */
export const playable = (version: string): boolean => testedVersions.includes(version)

/** Joins a server on this computer, stands in its world, and leaves. Rejects where it does not get in. */
export async function joinAndLeave(port: number, version: string): Promise<void> {
  if (!playable(version)) throw new Error(`There is no player that speaks ${version}.`)
  const bot = createBot({
    ...{ host: '127.0.0.1', port, username: 'Wheelhouse', auth: 'offline' as const },
    ...{ version, hideErrors: true, checkTimeoutInterval: PATIENCE },
  })
  try {
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('The player did not get in within a minute.')), PATIENCE)
      bot.once('spawn', resolve)
      bot.on('error', reject)
      bot.once('kicked', (reason) => reject(new Error(`The player was kicked: ${JSON.stringify(reason)}`)))
      bot.once('end', (why) => reject(new Error(`The player's connection ended: ${why}`)))
      bot.once('end', () => clearTimeout(late))
    })
  } finally {
    bot.end()
  }
}
