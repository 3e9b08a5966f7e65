/** The walls of ARCHITECTURE.md. `npm run walls` checks every import in src/ against them. */

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

const TESTS = '\\.(test|conformance)\\.ts$';

module.exports = {
  forbidden: [
    ...Object.entries(MAY_IMPORT).map(([folder, allowed]) => ({
      name: `wall-of-${folder}`,
      comment: `src/${folder} may import only: ${[folder, ...allowed].join(', ')}`,
      severity: 'error',
      from: { path: `^src/${folder}/`, pathNot: TESTS },
      to: { path: '^(src|web|test|bench)/', pathNot: `^src/(${[folder, ...allowed].join('|')})/` },
    })),
    ...Object.entries(MAY_IMPORT_IN_SCIENCE).map(([folder, allowed]) => ({
      name: `wall-of-science-${folder}`,
      comment: `src/science/${folder} may import of the science only: ${[folder, ...allowed].join(', ')}`,
      severity: 'error',
      from: { path: `^src/science/${folder}/`, pathNot: TESTS },
      to: { path: '^src/science/', pathNot: `^src/science/(${[folder, ...allowed].join('|')})/` },
    })),
    {
      name: 'model-and-science-are-pure',
      comment: 'no Node, no npm packages: the same code runs in the crawler, the lab and the web page',
      severity: 'error',
      from: { path: '^src/(model|science|ports)/', pathNot: TESTS },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer'] },
    },
    {
      name: 'web-stays-in-the-browser',
      comment: 'web/ may import the model, the science and the types of the API',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^src/', pathNot: '^src/(model|science|server/api-types)' },
    },
    {
      name: 'stages-stand-alone',
      comment:
        'a stage runs no other stage: the loop puts them together. Types of what it is handed are fine',
      severity: 'error',
      from: { path: '^src/stages/', pathNot: TESTS },
      to: { path: '^src/stages/(?!stored/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-cycles',
      comment: 'types may refer to each other; code may not',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.svelte'] },
  },
};
