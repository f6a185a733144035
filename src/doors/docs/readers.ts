interface Reader {
  readonly reader: string
  readonly id: string
  /** Pages by name, each with what it is for. */
  readonly pages: Readonly<Record<string, string>>
}

/** Who reads what. A page may have several readers; a test sees to it that each has one. */
export const readers: readonly Reader[] = [
  {
    reader: 'For farmers',
    id: 'farmers',
    pages: {
      'first-steps': 'from an empty machine to the first log, in ten minutes',
      app: 'the farm on a phone and a desk, with and without signal',
      languages: 'the app, the pages and the labels in German and Spanish, and how to add one',
      phone: 'an https address, three ways, and a check for an iPhone',
      concepts: 'assets, logs, areas and the rest, and how to move a herd, weigh, harvest, keep stock, plan and split',
      types: 'every type of record and what can be written on it',
      'rules/location': 'how the logs say it',
      'rules/geometry': 'how the logs say it',
      'rules/area-contents': 'the same, read from the area’s side',
      'rules/membership': 'how the logs say it',
      'rules/inventory': 'how the logs say it',
      past: 'where everything was on any day, and which log says so',
      reports: 'what was harvested and put on, for the end of the season',
      people: 'who may enter: invitations, roles, devices, forgotten passwords',
      sheets: 'lists for a spreadsheet, and back',
      maps: 'fields from Google Earth, a drone or QGIS, and back',
    },
  },
  {
    reader: 'For those who write programs',
    id: 'integrators',
    pages: {
      integrate: 'from a password, by OAuth 2.0, for a machine',
      interface: 'addresses, values, filters, files, errors',
      'json-api': 'JSON:API, for programs of the newer generation',
      types: 'every type and field, by the names that programs use',
      openapi: 'OpenAPI, and a typed client made of it',
      xml: 'the same records in another format',
      sheets: 'lists as CSV',
      maps: 'lists as GeoJSON and KML, areas out of them',
      batch: 'all or nothing, or each on its own',
      ids: 'records that are made without signal, and sent until they arrive',
      past: 'where everything was on any day, and which log says so',
      reports: 'sums, and the logs behind each figure',
      changes: 'a nightly copy, and events as they happen',
      'dry-run': 'whether a write would be taken, and what it would do',
      retrying: 'for a phone with a bad line',
      history: 'who changed what, and how it is taken back',
      trash: 'what was removed, and how it comes back',
      refusals: 'every no, and what to do about it',
      limits: 'how much of everything there may be',
    },
  },
  {
    reader: 'For those who run a farm’s server',
    id: 'operators',
    pages: {
      readme: 'the first start, the first account, the first log',
      settings: 'another port, a public address, PostgreSQL',
      commands: 'what furrow can be told to do',
      'moving-out': 'everything as sheets, maps and photos',
      operating: 'backups, upgrades, health, a proxy in front',
      'moving-in': 'a live farmOS 1.x in one command, and the proof that nothing was lost',
      promises: 'what you can rely on, and what holds it',
      performance: 'how fast, and what costs what',
      security: 'how to tell us of a hole',
      changelog: 'what is new',
    },
  },
  {
    reader: 'For engineers',
    id: 'engineers',
    pages: {
      modules: 'types and fields of your own',
      architecture: 'rooms, ways, tables, and why',
      contributing: 'rules of the house, and recipes',
      access: 'what was decided, and where it is in the source',
      gaps: 'and what we chose',
      'gaps-access': 'and what we chose',
      campaigns: 'programs that try to break the server',
    },
  },
]
