/**
 * The worked example of docs/perimeter.md, and the lab's default perimeter. Weights are guesses in log-odds, to be
 * fitted to judged pages: overseas suffixes count like `.fr`, French-speaking neighbours against it.
 */
export const FRENCH_WEB = {
  prior: -1,
  languages: { fr: 1.5, br: 1.5, co: 2, oc: 1.5, other: -1 },
  domains: {
    ...{
      fr: 3,
      re: 3,
      pm: 3,
      yt: 3,
      wf: 3,
      tf: 3,
      gp: 2,
      mq: 2,
      gf: 2,
      nc: 2,
      pf: 2,
      bzh: 3,
      corsica: 3,
      paris: 3,
      alsace: 3,
    },
    ...{ ca: -3, quebec: -3, be: -2, ch: -2, lu: -2, mc: -1, sn: -2, ci: -2, ma: -2, tn: -2, dz: -2 },
  },
  countries: { FR: 1, RE: 1, GP: 1, MQ: 1, GF: 1, NC: 1, PF: 1, other: -0.5 },
  commercial: -2,
  // Chosen on synthetic webs (src/lab/perimeter/online-nation.test.ts): with [1, 0.5], one link from a page that
  // belongs outweighed an English text on .com on a server in the US.
  connectivity: [0.3, 0.25],
};
