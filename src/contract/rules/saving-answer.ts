/** How the game says that everything is on the disk, in all its versions; older Bukkit puts it in brackets. */
const SAVED = /^(?:\[\w+: )?(?:Saved the (?:game|world)|Save complete\.?)\]?$/
const FAILED =
  /^(?:\[\w+: )?(?:Unable to save the game|Saving failed|Unknown (?:or incomplete )?command|Unknown command)/

/** What a console line, without its prefix, says to `save-all flush`; null if it is no answer to it. */
export function savingAnswer(text: string): 'saved' | 'failed' | null {
  if (SAVED.test(text)) return 'saved'
  return FAILED.test(text) ? 'failed' : null
}
