/** What a browser knows of the place it is in, filled into the form of the first run. Without it the form is filled in by hand. */
export const setupScript = `'use strict'
const form = document.querySelector('form[action="/setup"]')
if (form && form.dataset.guess === 'yes') {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const zones = form.elements.timezone
  if (timeZone) {
    if (![...zones.options].some(({ value }) => value === timeZone)) zones.add(new Option(timeZone, timeZone))
    zones.value = timeZone
  }
  const languages = navigator.languages ?? [navigator.language]
  const region = languages.map((one) => /-([A-Z]{2})\\b/.exec(one)?.[1]).find((one) => one !== undefined)
  if (['US', 'LR', 'MM'].includes(region)) form.elements.system_of_measurement.value = 'us'
  const spoken = languages.map((one) => one.slice(0, 2))
  const known = [...form.elements.language.options].map(({ value }) => value)
  const language = spoken.find((one) => known.includes(one))
  if (language) form.elements.language.value = language
}
`
