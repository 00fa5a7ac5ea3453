// @ts-check
// Types are named with nouns, as a rule of the linter.

/** Participles that don't end in -ed, and words that don't say what a thing is. */
const NO_NOUNS = new Set(
  (
    'Told Said Known Kept Found Held Made Given Shown Sent Written Taken Begun Done Lost Left Meant Seen Heard ' +
    'Chosen Drawn Hidden Broken Gone Thrown Grown Met Spent Brought Bought Caught ' +
    'Here There Around Beside Besides Now Then About Way Thing Stuff'
  ).split(' '),
)
/** Nouns that end in -ed. */
const NOUNS = new Set(['Bed', 'Embed', 'Feed', 'Seed', 'Shed', 'Speed', 'Thread', 'Need'])

const isParticiple = (/** @type {string} */ word) =>
  NO_NOUNS.has(word) || (/[a-z]ed$/.test(word) && !NOUNS.has(word))

/** @type {import('eslint').Rule.RuleModule} */
const rule = {
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    /** @param {any} node */
    const check = ({ id }) => {
      const last = /[A-Z][a-z\d]*$/.exec(id?.name ?? '')?.[0]
      if (last === undefined || !isParticiple(last)) return
      context.report({ node: id, message: `${id.name} is no noun. Name what the type is.` })
    }
    return {
      TSTypeAliasDeclaration: check,
      TSInterfaceDeclaration: check,
      ClassDeclaration: check,
    }
  },
}

/** @type {import('eslint').Linter.Config} */
export const namesConfig = {
  files: ['src/**/*.{ts,svelte}'],
  plugins: { names: { rules: { types: rule } } },
  rules: { 'names/types': 'error' },
}
