// @ts-check
// npm run icons: makes the icons of all systems and the pictures of the tray from build/icons/icon.svg.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { iconFiles } from './icon-files.js'
import { at, main, say } from './project.js'

await main(async () => {
  await rm(at('build/icons/linux'), { recursive: true, force: true })
  for (const [name, content] of await iconFiles()) {
    await mkdir(path.dirname(at(name)), { recursive: true })
    await writeFile(at(name), content)
    say(name)
  }
  return 0
})
