// @ts-check
// npm run dev -- [the options of npm start]: opens the panel, and builds and opens it anew when a source has changed.
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { panelProgram } from './panel-program.js'
import { Plain, at, main, root, say } from './project.js'
import { buildStale } from './stale.js'

/** Milliseconds of quiet after a change: an editor saves several files at once. */
const settle = 150

/** Resolves when a source has changed and quiet has come back. */
const change = () =>
  new Promise((/** @type {(value: 'changed') => void} */ resolve) => {
    /** @type {NodeJS.Timeout | undefined} */
    let timer
    const watcher = watch(at('src'), { recursive: true })
    // The system lets nobody watch more: then a change is not seen, and nothing else is wrong.
    watcher.on('error', (error) => say(`Changes of sources are not seen any more: ${error.message}`))
    watcher.on('change', () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        watcher.close()
        resolve('changed')
      }, settle)
    })
  })

await main(async () => {
  const { file, args, env } = await panelProgram(process.argv.slice(2))
  for (;;) {
    const changed = change()
    try {
      await buildStale()
    } catch (error) {
      if (!(error instanceof Plain)) throw error
      say(error.message)
      await changed
      continue
    }
    const child = spawn(file, args, { cwd: root, env, stdio: 'inherit' })
    const ended = new Promise((/** @type {(code: number) => void} */ resolve) => {
      child.on('close', (code) => resolve(code ?? 1))
      child.on('error', (error) => {
        say(`The panel could not be started: ${error.message}`)
        resolve(1)
      })
    })
    // In a terminal it hears of Ctrl-C itself; we wait for it.
    const interrupt = () => void (process.stdin.isTTY || child.kill('SIGINT'))
    const terminate = () => void child.kill('SIGTERM')
    process.on('SIGINT', interrupt).on('SIGTERM', terminate).on('SIGHUP', terminate)
    const first = await Promise.race([ended, changed])
    if (first === 'changed') child.kill('SIGTERM')
    const code = await ended
    process.off('SIGINT', interrupt).off('SIGTERM', terminate).off('SIGHUP', terminate)
    if (first !== 'changed') process.exit(code)
  }
})
