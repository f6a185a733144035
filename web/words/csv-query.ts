/** Parameters of CSV that a spreadsheet of the app's language opens right by a double click. */
export function csvQuery(): string {
  const code = document.documentElement.lang || 'en'
  const commas = code === 'en' ? '' : '&sep=semicolon&decimal=,'
  return `head=label&times=local&bom=1&language=${code}${commas}`
}
