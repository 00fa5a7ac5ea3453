// A stand-in for a program that meets an error nobody catches: its argument says how far it has come by then.
import { CrashHandler } from '../../../src/host/crash-handler.ts'

const [, , how] = process.argv
const say = (text: string) => void process.stdout.write(`${text}\n`)
const lastResort = new CrashHandler({
  tell: (error, ending) => say(`${ending}: ${error.message}`),
  exit: (code) => process.exit(code),
})
// Something that would keep it running.
setInterval(() => undefined, 1000)
if (how !== 'starting')
  lastResort.whenRunning({
    log: (error) => say(`logged: ${error.message}`),
    end: async () => {
      if (how === 'cannot end') throw new Error('cannot end')
      // Nothing that goes wrong meanwhile may cut this off.
      void Promise.reject(new Error('second'))
      await new Promise((resolve) => setTimeout(resolve, 20))
      say('in order')
    },
  })
if (how === 'rejected') void Promise.reject(new Error('first'))
else
  setImmediate(() => {
    throw new Error('first')
  })
