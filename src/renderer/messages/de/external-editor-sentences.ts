export const externalEditorSentences = {
  'external-editor.not-opened':
    '„{name}“ wird nicht in einem Editor dieses Computers geöffnet: Das geht nur mit reinen Texten mit Endungen wie .txt, .yml, .json oder .properties. Bearbeite die Datei hier, oder lade sie herunter.',
  'external-editor.too-large':
    '„{name}“ ist dafür zu groß: Zurückgesendet werden Texte bis {most:bytes}. Lade die Datei herunter, und lade sie wieder hoch.',
  'external-editor.no-text':
    '„{name}“ ist jetzt kein UTF-8-Text und wurde deshalb nicht gesendet. Speichere die Datei als UTF-8.',
  'external-editor.no-editor':
    'Das System hat „{name}“ nicht geöffnet: {why} Wähle in deinem System ein Programm für solche Dateien, oder zeige die Datei in ihrem Ordner.',
  'external-editor.too-many':
    'Du bearbeitest schon {most} Dateien außerhalb von Wheelhouse. Beende das zuerst bei einer von ihnen.',
  'external-editor.too-many-left':
    'Von Servern, die es nicht mehr gibt, sind {count} Dateien übrig. Sichere in den App-Einstellungen Kopien von einigen, oder entferne sie.',
  'external-editor.read-only':
    'Du darfst diese Datei nur lesen. Bitte den Besitzer des Servers um die Berechtigung, Dateien zu ändern.',
  'external-editor.gone': '„{name}“ ist nicht mehr auf diesem Computer. Öffne die Datei erneut.',
  'external-editor.stopped': 'Diese Datei wird nicht mehr außerhalb bearbeitet. Öffne sie erneut.',
  'external-editor.kept-aside':
    'Du hast dich abgemeldet, bevor deine letzten Änderungen an „{name}“ gesendet waren. Sie liegen in {path}.',
  'external-editor.found-one':
    'Du hast „{name}“ in deinem Editor gespeichert, und das wurde nicht gesendet. Die Datei wartet unter den Dateien ihres Servers.',
  'external-editor.found-some':
    'Du hast {count} Dateien in deinem Editor gespeichert, und sie wurden nicht gesendet. Sie warten unter den Dateien ihrer Server.',
} as const
