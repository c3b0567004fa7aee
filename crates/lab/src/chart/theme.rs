//! Colours: what the page's style sheet says, by role.

use crate::chart::scene::Ink;

/// Red, green and blue.
pub type Rgb = (u8, u8, u8);

/// How many looks the palette has.
pub const LOOKS: usize = 8;

/// The colours of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    text: Rgb,
    muted: Rgb,
    grid: Rgb,
    surface: Rgb,
    accent: Rgb,
    looks: [Rgb; LOOKS],
}

impl Default for Theme {
    /// On white: the colours of Okabe and Ito, which people with any kind of colour sight can tell apart, and two greys.
    fn default() -> Self {
        Theme {
            text: (0x1c, 0x24, 0x2c),
            muted: (0x57, 0x60, 0x6a),
            grid: (0xd8, 0xdd, 0xe3),
            surface: (0xff, 0xff, 0xff),
            accent: (0x1c, 0x24, 0x2c),
            looks: [
                (0x00, 0x72, 0xb2),
                (0xd5, 0x5e, 0x00),
                (0x00, 0x9e, 0x73),
                (0xcc, 0x79, 0xa7),
                (0xe6, 0x9f, 0x00),
                (0x56, 0xb4, 0xe9),
                (0xb8, 0xc0, 0xc8),
                (0x5a, 0x64, 0x6e),
            ],
        }
    }
}

impl Theme {
    /// The theme from a style sheet. `property` gives its custom properties: `--chart-text`, `--chart-muted`, `--chart-grid`,
    /// `--chart-surface`, `--chart-accent` and `--chart-look-0` to `--chart-look-7`. A missing one keeps its default.
    pub fn from_style(property: impl Fn(&str) -> String) -> Theme {
        let mut theme = Theme::default();
        let read = |name: &str, color: &mut Rgb| {
            if let Some(found) = parse(&property(name)) {
                *color = found;
            }
        };
        read("--chart-text", &mut theme.text);
        read("--chart-muted", &mut theme.muted);
        read("--chart-grid", &mut theme.grid);
        read("--chart-surface", &mut theme.surface);
        read("--chart-accent", &mut theme.accent);
        for (index, color) in theme.looks.iter_mut().enumerate() {
            read(&format!("--chart-look-{index}"), color);
        }
        theme
    }

    /// The colour of a role.
    pub fn color(&self, ink: Ink) -> Rgb {
        match ink {
            Ink::Text => self.text,
            Ink::Muted => self.muted,
            Ink::Grid => self.grid,
            Ink::Surface => self.surface,
            Ink::Accent => self.accent,
            Ink::Look(look) => self.looks[look % LOOKS],
            Ink::OnLook(look) => readable_on(self.looks[look % LOOKS]),
        }
    }
}

/// Black or white, whichever is easier to read on `color`.
fn readable_on(color: Rgb) -> Rgb {
    // Weights of the relative luminance, without its gamma. They are enough to choose between two.
    let brightness = 0.299 * f64::from(color.0) + 0.587 * f64::from(color.1) + 0.114 * f64::from(color.2);
    if brightness > 128.0 { (0x10, 0x14, 0x18) } else { (0xff, 0xff, 0xff) }
}

/// Reads `#rgb`, `#rrggbb` and `rgb(r, g, b)`, the forms that browsers give for a plain colour.
fn parse(text: &str) -> Option<Rgb> {
    let text = text.trim();
    if let Some(hex) = text.strip_prefix('#') {
        let digits: Vec<u8> = hex.chars().map(|digit| digit.to_digit(16).map(|value| value as u8)).collect::<Option<_>>()?;
        return match digits[..] {
            [r, g, b] => Some((r * 17, g * 17, b * 17)),
            [r, r2, g, g2, b, b2] => Some((r * 16 + r2, g * 16 + g2, b * 16 + b2)),
            _ => None,
        };
    }
    let inner = text.strip_prefix("rgb(")?.strip_suffix(')')?;
    let mut parts = inner.split([',', ' ']).filter(|part| !part.is_empty()).map(|part| part.parse::<u8>().ok());
    Some((parts.next()??, parts.next()??, parts.next()??))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_in_the_usual_forms() {
        assert_eq!(parse(" #0072B2 "), Some((0, 0x72, 0xb2)));
        assert_eq!(parse("#fff"), Some((255, 255, 255)));
        assert_eq!(parse("rgb(1, 2, 3)"), Some((1, 2, 3)));
        assert_eq!(parse("rgb(1 2 3)"), Some((1, 2, 3)));
        for bad in ["", "red", "#12", "#zzzzzz", "rgb(1,2)", "rgb(300,1,1)"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_missing_property_keeps_its_default() {
        let theme = Theme::from_style(|name| if name == "--chart-look-1" { "#010203".into() } else { String::new() });
        assert_eq!(theme.color(Ink::Look(1)), (1, 2, 3));
        assert_eq!(theme.color(Ink::Look(0)), Theme::default().color(Ink::Look(0)));
        assert_eq!(theme.color(Ink::OnLook(0)), (255, 255, 255));
        assert_ne!(theme.color(Ink::OnLook(4)), (255, 255, 255));
    }
}
