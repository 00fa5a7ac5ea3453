/* Claims a folder and has it until its input ends. Says `taken`, `claimed`, `wanted`, or why it can't. */
import { text } from 'node:stream/consumers'
import { claimFolder, type ClaimTiming } from './folder-claim.ts'

const [folder = '', timing = '{}'] = process.argv.slice(2)
const say = (line: string) => void process.stdout.write(`${line}\n`)
const claim = await claimFolder(folder, () => say('taken'), JSON.parse(timing) as ClaimTiming).catch(
  (error: Error) => say(error.message),
)
if (claim) {
  claim.onWanted(() => say('wanted'))
  say('claimed')
  await text(process.stdin)
  await claim.release()
}
process.exit()
