type Rows = readonly (readonly string[])[]

export interface FarmSheet {
  readonly path: string
  readonly as: 'csv' | 'windows csv' | 'excel' | 'other excel'
  readonly rows: Rows
  /** Records that it makes. */
  readonly created: number
  /** At most two. */
  readonly questions: number
  /** Answers where the first one is not meant. */
  readonly answers?: Readonly<Record<string, string>>
}

export const book = (text: string): Rows => text.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))

export const year = new Date().getFullYear() - 1

const [harvests, inputs, animals] = ['/log?type=farm_harvest', '/log?type=farm_input', '/farm_asset?type=animal']

/** Sheets of offices, and what other programs export. */
export const sheetsOfOtherPrograms: Readonly<Record<string, FarmSheet>> = {
  'a harvest book with a sum under each day': {
    path: harvests,
    as: 'other excel',
    rows: book(`Biohof Sonnleiten – Erntebuch ${year}||||||
geführt von: Anna und Jörg||||||
Datum|Kultur|Sorte|Beet|Menge|Einheit|Qualität
Di, 3.6.${year}|Pflücksalat|Lollo|Beet 31|48|Stück|I
|Radieschen|Saxa|Beet 32|32|Bund|I
Tagessumme||||80||
Di, 10.6.${year}|Mangold||Beet 33|18,25|kg|II
Tagessumme||||18,25||
Gesamt||||98,25||`),
    created: 3,
    questions: 0,
  },
  'a German record of crop protection under a title with a comma': {
    path: inputs,
    as: 'windows csv',
    rows: book(`Ackerschlagkartei Erntejahr ${year}
Betrieb: Hof Wiesengrund, 37120 Bovenden
Schlag-Nr.|Schlagname|Kultur|Größe (ha)|Datum|Uhrzeit|Mittel|Aufwandmenge|Einheit|Wasser (l/ha)|Indikation|Anwender
1|Hinterm Dorf|Winterweizen|4,82|14.10.${year - 1}|09:30|Herold SC|0,4|l/ha|250|Windhalm|J. Brandt
1|Hinterm Dorf|Winterweizen|4,82|22.04.${year}|18:15|Moddus|0,3|l/ha|200|Halmfestigung|J. Brandt`),
    created: 2,
    questions: 0,
  },
  'a register of cattle as the office prints it': {
    path: animals,
    as: 'windows csv',
    rows: book(`Bestandsregister Rinder|||||||||||
Stand: 31.12.${year}|||||||||||
Lfd. Nr.|Ohrmarkennummer|Geb.-Datum|Geschlecht|Rasse|Ohrmarke Mutter|Zugangsdatum|Zugang von|Abgangsdatum|Abgang an|Abgangsgrund|Name
1|DE 09 381 23456|12.03.2019|w|FL||12.03.2019|Geburt||||Resi
2|DE 09 415 10021|08.11.${year - 2}|m|FL|DE 09 381 23456|08.11.${year - 2}|Geburt|14.02.${year}|Viehhandel Huber|Verkauf|`),
    created: 2,
    questions: 0,
  },
  'an export of Herdwatch': {
    path: animals,
    as: 'csv',
    rows: book(`Herd Profile||||||||||
Herd No: IE1234567||||||||||
Animal No.|Tag Number|DOB|Age (Months)|Sex|Breed|Dam Tag|Date On|Moved From|Date Off|Moved To|Group
0451|IE 37 12345 6 0451|23/02/2021|57|F|LMX|IE 37 12345 6 0220|23/02/2021|Birth|||Sucklers
0610|IE 37 12345 6 0610|21/03/2024|20|M|LMX|IE 37 12345 6 0451|21/03/2024|Birth|19/10/${year}|Ballymote Mart|Finishers`),
    created: 2,
    questions: 0,
  },
  'an export of Farmbrite': {
    path: harvests,
    as: 'csv',
    rows: book(`Date|Planting|Crop Type|Variety|Grow Location|Harvest Yield|Units|Grade|Batch / Lot #|Harvested By|Estimated Value
06/14/${year}|Sugar Snap - Bed 4|Peas|Sugar Snap|Bed 4|22.5|lbs|A|L-0614|Kim|$90.00
07/19/${year}|Sungold - High Tunnel|Tomatoes|Sungold|High Tunnel|63.25|lbs|A|L-0719|Kim|$265.00`),
    created: 2,
    questions: 0,
  },
  'a grid of weeks with varieties, beds and a total': {
    path: harvests,
    as: 'other excel',
    rows: book(`Harvest record ${year} - Two Rivers|||||||
Crop|Variety|Bed|Unit|W22|W23|W24|Total
Beets|Chioggia|2A|lb|12|9|14|35
Garlic|Music|5|lb|||40|40`),
    created: 4,
    questions: 0,
  },
  'a Spanish record of crop protection': {
    path: inputs,
    as: 'windows csv',
    rows: book(`CUADERNO DE EXPLOTACIÓN - TRATAMIENTOS FITOSANITARIOS|||||||||||
Titular: Finca El Hondo S.L.||NIF: B30123456||Campaña ${year}|||||||
Nº Orden|Fecha|Parcela|Cultivo|Superficie tratada (ha)|Problema fitosanitario|Producto comercial|Dosis (l/ha)|Caldo (l/ha)|Aplicador|Plazo de seguridad (días)|Eficacia
1|22/03/${year}|Parcela 12|Calabacín|3,50|Pulgón|Movento Gold|0,75|1000|A. Ruiz|21|Buena
2|15/05/${year}|El Hondo|Calabacín|1,85|Oídio|Topas|0,4|900|M. Ruiz|14|Regular`),
    created: 2,
    questions: 0,
  },
  'a Spanish register of sheep': {
    path: animals,
    as: 'excel',
    rows: book(`LIBRO REGISTRO DE EXPLOTACIÓN OVINA||||||||||
Nº Crotal|Bolo / Chip|Fecha nacimiento|Sexo|Raza|Fecha de alta|Causa alta|Procedencia|Fecha de baja|Causa baja|Destino
ES 02 0440 123450|724 00072404123450|20/01/2022|H|Rasa|20/01/2022|Nacimiento|Propia|||
ES 02 0440 123452|724 00072404123452|01/08/2022|H|Rasa|25/09/2023|Compra|Ganados Pérez|13/03/${year}|Matadero|Teruel`),
    created: 2,
    questions: 0,
  },
  'a German book of eggs with houses across': {
    path: harvests,
    as: 'other excel',
    rows: book(`Eierbuch Hofladen ${year}||||||
Datum|Stall 1|Stall 2|Mobilstall|Bruch|Summe|Bemerkung
01.03.${year}|211|187|95|1|493|
02.03.${year}|212|186|95||493|Futter gewechselt
Summe|423|373|190|1|986|`),
    created: 6,
    questions: 0,
  },
  'a spray diary with names of months': {
    path: inputs,
    as: 'csv',
    rows: book(`Spray Diary ${year}||||||||||
Date|Start|Finish|Paddock|Crop|Area (ha)|Product|Rate (L/ha)|Total product (L)|Target|Wind (km/h)|Operator|WHP (days)
03-May-${year % 100}|7:10|9:45|North 40|Wheat|42|Roundup UltraMAX|1.8|75.6|Fallow weeds|8 NE|D. Muir|14
Jun 19, ${year}|10:00|12:20|North 40|Wheat|42|Velocity|0.67|28.1|Broadleaf|12|D. Muir|42`),
    created: 2,
    questions: 0,
  },
  'a plan of sowings': {
    path: '/log?type=farm_seeding',
    as: 'csv',
    rows: book(`${year + 2} Crop Plan||||||
Crop|Variety|Bed|Seeding Date|Transplant Date|First Harvest|Notes
Lettuce|Muir|1A|${year + 2}-03-02|${year + 2}-04-06|${year + 2}-05-18|
Kale|Red Russian|1B|${year + 2}-03-16|${year + 2}-04-20|${year + 2}-06-01|row cover`),
    created: 2,
    questions: 1,
    answers: { done: '0' },
  },
}
