// @ts-check

/**
 * Puts a script into the page that loads it, where it runs as soon as it is read: a page asks for files only once it
 * stands, and gets them 20 ms later. Its content security policy names it by its hash (`main/page/policy.ts`).
 * @param {string} html a built page
 * @param {string} file what the page loads, such as `assets/web-client-1a2b.js`
 * @param {string} code that imports and exports nothing
 * @returns {string} Throws a sentence where that cannot be.
 */
export function inlined(html, file, code) {
  const tag = `<script type="module" crossorigin src="./${file}"></script>`
  if (html.split(tag).length !== 2)
    throw new Error(`The page does not load ${file} as build/inlined.js reads it.`)
  if (/<\/script|<!--/i.test(code)) throw new Error(`${file} holds what would end a script within a page.`)
  // Nothing it names is to be seen by the page's modules.
  return html.replace(tag, () => `<script>(()=>{"use strict";${code.trim()}\n})()</script>`)
}

/**
 * @param {string} page name of the page
 * @param {string} chunk name of the chunk, which is in no file of its own then
 */
export function inlineScript(page, chunk) {
  return {
    name: 'inline-script',
    /** @type {'build'} */
    apply: 'build',
    transformIndexHtml: {
      /** @type {'post'} */
      order: 'post',
      /**
       * @param {string} html
       * @param {import('vite').IndexHtmlTransformContext} context
       */
      handler(html, { filename, bundle = {} }) {
        if (!filename.endsWith(page)) return html
        const found = Object.values(bundle).find((one) => one.type === 'chunk' && one.name === chunk)
        if (found?.type !== 'chunk' || found.imports.length + found.exports.length > 0)
          throw new Error(`There is no chunk ${chunk} that imports and exports nothing.`)
        delete bundle[found.fileName]
        return inlined(html, found.fileName, found.code)
      },
    },
  }
}
