//! A slab: things under way, each with a tag by which others know it. Once a thing is taken out, its tag is free for
//! another.

/// Things by their tags.
#[derive(Clone, Debug)]
pub struct Slab<T> {
    places: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Slab { places: Vec::new(), free: Vec::new() }
    }
}

impl<T> Slab<T> {
    /// Puts a thing in and returns its tag.
    pub fn put(&mut self, thing: T) -> u32 {
        match self.free.pop() {
            Some(tag) => {
                self.places[tag as usize] = Some(thing);
                tag
            }
            None => {
                self.places.push(Some(thing));
                self.places.len() as u32 - 1
            }
        }
    }

    /// The thing with this tag, if it is under way.
    pub fn get(&self, tag: u32) -> Option<&T> {
        self.places.get(tag as usize)?.as_ref()
    }

    /// The thing with this tag, to change it.
    ///
    /// # Panics
    /// If it has been taken out.
    pub fn get_mut(&mut self, tag: u32) -> &mut T {
        self.places[tag as usize].as_mut().expect("a tag is of something under way")
    }

    /// Takes the thing with this tag out.
    ///
    /// # Panics
    /// If it has been taken out before.
    pub fn take(&mut self, tag: u32) -> T {
        self.free.push(tag);
        self.places[tag as usize].take().expect("what is under way ends once")
    }

    /// All things, in the order of their tags.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.places.iter().flatten()
    }

    /// The same, to change them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.places.iter_mut().flatten()
    }

    /// The tags of the things for which `of` is true, in their order.
    pub fn tags(&self, of: impl Fn(&T) -> bool) -> Vec<u32> {
        let tagged = self.places.iter().zip(0..).filter_map(|(thing, tag)| Some((thing.as_ref()?, tag)));
        tagged.filter(|(thing, _)| of(thing)).map(|(_, tag)| tag).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_given_again_when_its_thing_is_gone() {
        let mut slab = Slab::default();
        assert_eq!([slab.put('a'), slab.put('b'), slab.put('c')], [0, 1, 2]);
        assert_eq!(slab.take(1), 'b');
        assert_eq!(slab.tags(|thing| *thing > 'a'), [2]);
        assert_eq!(slab.put('d'), 1);
        *slab.get_mut(0) = 'e';
        assert_eq!(slab.iter().collect::<String>(), "edc");
    }
}
