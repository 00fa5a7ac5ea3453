/** A minimal page for a browser. `title` and `text` are trusted HTML. */
export const plainPage = (language: string, title: string, text: string): string => `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
  </head>
  <body>
    <h1>${title}</h1>
    <p>${text}</p>
  </body>
</html>
`
