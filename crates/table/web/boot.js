// Sets theme and language before the first paint. A classic script of its own: the content policy forbids inline ones.
(function () {
  var root = document.documentElement;
  var theme = null;
  var lang = null;
  try {
    theme = localStorage.getItem('kiebitz.theme');
    lang = localStorage.getItem('kiebitz.lang');
  } catch (_) { /* storage may be forbidden */ }
  if (theme === 'dark' || theme === 'light') root.dataset.theme = theme;
  if (lang !== 'en' && lang !== 'zh-CN') {
    var wanted = navigator.languages || [navigator.language || 'en'];
    lang = 'en';
    for (var i = 0; i < wanted.length; i++) {
      if (/^zh/i.test(wanted[i])) { lang = 'zh-CN'; break; }
      if (/^en/i.test(wanted[i])) break;
    }
  }
  root.lang = lang;
})();
