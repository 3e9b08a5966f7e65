/** Who may import whom. `walls.config.cjs` has it checked; a test finds rooms that are missing here (test/docs/architecture.test.ts). */

/** Which folders of src/ each folder may import from, besides itself. */
const MAY_IMPORT = {
  model: [],
  science: ['model'],
  ports: ['model'],
  capture: ['model', 'ports'],
  warc: ['model', 'ports'],
  storage: ['model', 'ports'],
  catalog: ['model', 'ports'],
  stages: ['model', 'ports', 'science'],
  loop: ['model', 'ports', 'science', 'stages'],
  access: ['model', 'ports', 'science'],
  lab: ['model', 'ports', 'science', 'stages', 'loop'],
  archive: [
    ...['model', 'ports', 'science', 'capture', 'warc', 'storage', 'catalog'],
    ...['stages', 'loop', 'access'],
  ],
  server: ['model', 'ports', 'access', 'archive'],
  // What other programs import by a sub-path of the package.
  exports: ['model', 'science', 'warc'],
  // Flags and text: what is done, and with which adapters, is decided in archive.
  cli: ['model', 'ports', 'science', 'access', 'server', 'lab', 'archive'],
};

/** Directions inside src/science: from what a page is to what is done about it. */
const MAY_IMPORT_IN_SCIENCE = {
  layout: [],
  delta: ['layout'],
  patterns: ['layout', 'delta'],
  rates: [],
  sharpness: ['rates'],
  evolution: ['rates', 'patterns'],
  quality: [],
  retention: [],
  mirrors: ['evolution'],
  perimeter: ['rates', 'quality'],
  importance: ['rates', 'perimeter'],
  policy: ['patterns', 'rates', 'sharpness', 'quality'],
  answers: [],
  alerts: ['layout', 'delta', 'patterns'],
  search: ['layout'],
  check: ['layout', 'delta'],
  browsing: ['layout', 'delta', 'patterns'],
};

module.exports = { MAY_IMPORT, MAY_IMPORT_IN_SCIENCE };
