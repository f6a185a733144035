/** @typedef {{ name: string, method?: string, path: string, body?: string }} Question */

/** @template T @param {number} count @param {(nth: number) => T} item @returns {T[]} */
const many = (count, item) => Array.from({ length: count }, (_, nth) => item(nth))

/** @param {string} field @param {(nth: number) => string} value */
const filters = (field, value) => many(199, (nth) => `${field}=${encodeURIComponent(value(nth))}`).join('&')

/** Groups of conditions as /api writes them. @param {string} path @param {number} count @param {string} conjunction */
const conditions = (path, count, conjunction) =>
  [
    `filter[g][group][conjunction]=${conjunction}`,
    ...many(count, (nth) => {
      const own = `filter[c${nth}][condition]`
      return `${own}[path]=${path}&${own}[operator]=CONTAINS&${own}[value]=q${nth}z&${own}[memberOf]=g`
    }),
  ].join('&')

/** An address has 8 KiB. */
const fitting = 38

/** Expensive queries of an attacker. Words without a match force full scans. @returns {Question[]} */
export function questions() {
  const years = 'from=2000-01-01&to=2040-12-31'
  return [
    ...[
      'notes[ct]',
      'geofield[ct]',
      'quantity[label][ct]',
      'name[ct]',
      'data[ct]',
      'notes[ge]',
      'notes[sw]',
      'notes[ne]',
    ].map((field) => ({ name: `199 × ${field}`, path: `/log.json?${filters(field, (nth) => `q${nth}z`)}` })),
    {
      name: '199 words that begin alike',
      path: `/log.json?${filters('notes[ct]', (nth) => `the ground was st${nth}`)}`,
    },
    {
      name: 'many filters together',
      path: `/log.json?${['notes', 'name', 'data', 'quantity[label]', 'geofield', 'lot_number', 'vet', 'flags']
        .flatMap((field) => ['ct', 'ge', 'le', 'ne', 'sw'].map((operator) => `${field}[${operator}]=q`))
        .join('&')}`,
    },
    ...['notes', 'changed', 'lot_number'].map((field) => ({
      name: `sort=${field}, in the middle`,
      path: `/log.json?sort=${field}&limit=100&page=90`,
    })),
    { name: 'a thousand logs', path: '/log.json?limit=1000&page=3' },
    { name: 'without notes', path: '/log.json?notes=&limit=1' },
    ...['OR', 'AND'].map((conjunction) => ({
      name: `CONTAINS ${conjunction} CONTAINS in /api`,
      path: `/api/log/observation?${conditions('notes.value', fitting, conjunction)}`,
    })),
    { name: 'labels of quantities in /api', path: `/api/log/harvest?${conditions('quantity.label', fitting, 'OR')}` },
    ...['harvest', 'inputs'].map((report) => ({
      name: `the report on ${report}, of all years`,
      path: `/reports/${report}.json?${years}`,
    })),
    {
      name: 'a report that finds nothing',
      path: `/reports/harvest.json?${years}&notes[ct]=qzq`,
    },
    {
      name: '200 scans in /subrequests',
      method: 'POST',
      path: '/subrequests?_format=json',
      body: JSON.stringify(
        many(200, (nth) => ({
          requestId: `r${nth}`,
          action: 'view',
          uri: `/api/log/observation?filter[n][condition][path]=notes.value&filter[n][condition][operator]=CONTAINS&filter[n][condition][value]=q${nth}z`,
        })),
      ),
    },
  ]
}
